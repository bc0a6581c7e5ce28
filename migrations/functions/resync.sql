-- resync makes the next page of a pass, if it is time: wakeups with the cause -1 for the next
-- _limit objects in uid order, for each controller that syncs them. The arrays say which: the
-- objects of a resource; with the resource '*', those that have an owner or are being deleted; or
-- the one that is a controller's lock. Objects that are due within a minute anyway are skipped.
-- wait is the time until the next page.
--
-- Wakeups are inserted under the counter, so that no object is deleted at the same time (S6): hence
-- the small pages. If another replica is resyncing, this does not wait for it (S2).
CREATE OR REPLACE FUNCTION resync(_controller text[], _resource text[], _lock uuid[], _every interval, _pause interval, _limit integer,
    OUT wait interval, OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    nobody  constant uuid := '00000000-0000-0000-0000-000000000000';
    after_  uuid;
    now_    timestamptz;
    page    uuid[];
BEGIN
    SELECT r.after, r.at + CASE WHEN r.after = nobody THEN _every ELSE _pause END - clock_timestamp()
    INTO after_, wait FROM resync r FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        wait := _pause;
    END IF;
    IF wait > interval '0' THEN
        RETURN;
    END IF;

    page := ARRAY(
        SELECT o.uid FROM objects o
        WHERE o.uid > after_ AND (o.resource = ANY (_resource) OR o.uid = ANY (_lock)
            OR '*' = ANY (_resource) AND (o.terminating OR EXISTS (SELECT FROM owners d WHERE d.uid = o.uid)))
        ORDER BY o.uid LIMIT _limit);
    PERFORM FROM revision FOR UPDATE;
    now_ := cluster_now();
    WITH w AS (
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid, c.controller) now_, -1, o.uid, 0, c.controller
        FROM unnest(page) AS p (uid) JOIN objects o ON o.uid = p.uid
        JOIN unnest(_controller, _resource, _lock) AS c (controller, resource, lock)
            ON c.resource = o.resource OR c.lock = o.uid
            OR c.resource = '*' AND (o.terminating OR EXISTS (SELECT FROM owners d WHERE d.uid = o.uid))
        WHERE NOT EXISTS (
            SELECT FROM wakeups v WHERE v.uid = o.uid AND v.controller = c.controller AND v.due <= now_ + interval '1 min')
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;

    after_ := nobody;
    wait := _every;
    IF cardinality(page) = _limit THEN
        after_ := page[_limit];
        wait := _pause;
    END IF;
    UPDATE resync r SET after = after_, at = clock_timestamp();
END
$$;
