-- wake asks controllers to sync objects for which no change of this transaction asks; the arrays
-- are parallel. It locks the counter, so that none of the objects is deleted at the same time (S6),
-- and so comes last in its transaction (S2).
CREATE OR REPLACE FUNCTION wake(_controller text[], _uid uuid[], _cause bigint[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_ timestamptz;
BEGIN
    SELECT greatest(v.at, cluster_now()) INTO now_ FROM revision v FOR UPDATE;
    WITH w AS (
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT now_, max(c.cause), o.uid, 0, c.controller
        FROM unnest(_controller, _uid, _cause) AS c (controller, uid, cause) JOIN objects o ON o.uid = c.uid
        GROUP BY o.uid, c.controller
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
END
$$;
