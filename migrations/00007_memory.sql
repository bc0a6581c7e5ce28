-- +goose Up

-- What a controller remembers beside an object that it looks at: how far the object's machine has come, say. Nobody else
-- reads it, it has no revision and no history, and clients do not see it. It is written under the object's lock by whoever
-- holds that, in the transaction of the plan that it belongs to. The bytes come compressed. Pages have room for a next
-- version, so that one that fits into a page stays in its page.
CREATE TABLE memories (
    uid   uuid  PRIMARY KEY,
    state bytea NOT NULL
) WITH (toast_tuple_target = 8160, fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, toast.autovacuum_vacuum_scale_factor = 0.1);
ALTER TABLE memories ALTER COLUMN state SET STORAGE EXTERNAL;

-- remember writes what is to be remembered beside objects whose locks the caller holds; NULL forgets. An object that is not at
-- the revision that this was computed from is passed over, as apply will leave out the change that comes with it: under
-- the lock nobody can make that true or false in between. It waits for nobody, and comes before the counter is taken.
-- +goose StatementBegin
CREATE FUNCTION remember(_uid uuid[], _base bigint[], _state bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    DELETE FROM memories m USING unnest(_uid, _base, _state) AS r (uid, base, state), objects o
    WHERE r.state IS NULL AND o.uid = r.uid AND o.revision = r.base AND m.uid = r.uid;
    INSERT INTO memories AS m (uid, state)
    SELECT r.uid, r.state FROM unnest(_uid, _base, _state) AS r (uid, base, state) JOIN objects o ON o.uid = r.uid AND o.revision = r.base
    WHERE r.state IS NOT NULL
    ON CONFLICT (uid) DO UPDATE SET state = excluded.state;
END
$$;
-- +goose StatementEnd

-- claim_with_memory is claim for a controller that remembers: each object comes with what is remembered beside it, read in
-- the statement, and so in the snapshot, of the ids. Objects whose memory does not fit into _bytes any more are left for the next
-- claim; the first is always answered.
-- +goose StatementBegin
CREATE FUNCTION claim_with_memory(_controller text, _limit integer, _bytes bigint)
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
    IF cardinality(locked) > 0 THEN
        RETURN QUERY
        SELECT t.uid, t.ids, t.cause, t.attempt, (SELECT v.value FROM revision v), now_, t.state
        FROM (
            SELECT c.*, m.state, sum(octet_length(m.state)) OVER (ORDER BY c.cause, c.uid) - octet_length(m.state) AS before
            FROM (
                SELECT w.uid, array_agg(w.id) AS ids, max(w.cause) AS cause, max(w.attempt) AS attempt
                FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
                JOIN wakeups w ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_
                GROUP BY w.uid) AS c
            LEFT JOIN memories m ON m.uid = c.uid) AS t
        WHERE t.state IS NULL OR t.before < _bytes OR t.before = 0;
    END IF;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due, NULL::bytea
        FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION claim_with_memory;
DROP FUNCTION remember;
DROP TABLE memories;
