-- wake_later is wake for syncs at times of their own; the arrays are parallel. It locks the
-- counter, and so comes after everything that locks a row (S2).
CREATE OR REPLACE FUNCTION wake_later(_controller text[], _uid uuid[], _cause bigint[], _due timestamptz[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_ timestamptz;
BEGIN
    SELECT greatest(v.at, cluster_now()) INTO now_ FROM revision v FOR UPDATE;
    WITH w AS (
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT greatest(now_, c.due), max(c.cause), o.uid, 0, c.controller
        FROM unnest(_controller, _uid, _cause, _due) AS c (controller, uid, cause, due) JOIN objects o ON o.uid = c.uid
        GROUP BY o.uid, c.controller, greatest(now_, c.due)
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
END
$$;
