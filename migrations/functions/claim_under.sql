-- claim_under is claim for a controller that decides across objects: it locks the one row _lock
-- instead of the objects. It returns nothing at all while another worker holds the lock.
CREATE OR REPLACE FUNCTION claim_under(_lock uuid, _controller text, _limit integer)
RETURNS TABLE (uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamptz)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_ timestamptz;
BEGIN
    PERFORM FROM objects o WHERE o.uid = _lock FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    now_ := cluster_now(); -- now that no other state can be loaded, which would set it back: see load_take.sql
    RETURN QUERY
    SELECT w.uid, array_agg(w.id), max(w.cause), max(w.attempt), (SELECT v.value FROM revision v), now_
    FROM (
        WITH d AS (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit)
        TABLE d UNION ALL
        (SELECT * FROM wakeups r WHERE r.controller || '' = _controller AND r.retry IS NOT NULL
            AND (r.retry <= statement_timestamp() OR r.uid IN (SELECT d.uid FROM d))
         ORDER BY r.retry LIMIT _limit)) AS w
    GROUP BY w.uid;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due
        FROM (SELECT (SELECT w.due FROM wakeups w WHERE w.controller = _controller AND w.due > now_ ORDER BY w.due LIMIT 1) AS due) AS t;
END
$$;
