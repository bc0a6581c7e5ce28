-- claim takes due work of one controller: it locks up to _limit objects that have due wakeups,
-- skipping locked ones. Then, in a new statement and so in a snapshot younger than the locks, it
-- reads the ids of their due wakeups and the revision. Objects without ids were finished by another
-- worker between the two statements, and have no row.
--
-- Retries are taken as well; with an object, all of its retries: the claim replaces them, and knows
-- how often the last attempts failed. The controller is compared in a way that rules out
-- wakeups_due, which a planner without statistics prefers to wakeups_retry, although that is almost
-- empty, and to wakeups_object.
--
-- With _bytes, each object comes with its memory, read in the same statement, and so in the same
-- snapshot, as the ids. Objects whose memories exceed _bytes are left for the next claim; the first
-- is always returned. NULL: without memories.
--
-- A last row without uid says when the next wakeup is due, which is in the past if everything due
-- is locked by others; NULL for none.
CREATE OR REPLACE FUNCTION claim(_controller text, _limit integer, _bytes bigint)
RETURNS TABLE (uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamptz, memory bytea)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_   timestamptz := cluster_now();
    locked uuid[];
BEGIN
    locked := ARRAY(
        SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
        WHERE w.controller = _controller AND w.due <= now_
        ORDER BY w.due LIMIT _limit
        FOR NO KEY UPDATE OF o SKIP LOCKED);
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
    -- If this transaction waited above while another state was loaded, it has the time of the state
    -- before. From here on none can be loaded (load_take.sql).
    IF cardinality(locked) > 0 THEN
        now_ := least(now_, cluster_now());
    END IF;
    IF cardinality(locked) > 0 AND _bytes IS NULL THEN
        RETURN QUERY
        SELECT w.uid, array_agg(w.id), max(w.cause), max(w.attempt), (SELECT v.value FROM revision v), now_, NULL::bytea
        FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
        JOIN wakeups w ON w.uid = l.uid AND w.controller || '' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)
        GROUP BY w.uid;
    ELSIF cardinality(locked) > 0 THEN -- a statement of its own, because the other takes half the time
        RETURN QUERY
        SELECT t.uid, t.ids, t.cause, t.attempt, (SELECT v.value FROM revision v), now_, t.state
        FROM (
            SELECT c.*, m.state, sum(octet_length(m.state)) OVER (ORDER BY c.cause, c.uid) - octet_length(m.state) AS before
            FROM (
                SELECT w.uid, array_agg(w.id) AS ids, max(w.cause) AS cause, max(w.attempt) AS attempt
                FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
                JOIN wakeups w ON w.uid = l.uid AND w.controller || '' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)
                GROUP BY w.uid) AS c
            LEFT JOIN memories m ON m.uid = c.uid) AS t
        WHERE t.state IS NULL OR t.before < _bytes OR t.before = 0;
    END IF;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due, NULL::bytea
        FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t;
END
$$;
