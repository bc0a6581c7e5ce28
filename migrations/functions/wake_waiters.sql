-- wake_waiters wakes the objects that wait for room in a namespace. The caller holds the counter.
CREATE OR REPLACE FUNCTION wake_waiters(_namespace text[], _revision bigint, _now timestamptz) RETURNS text[]
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    woken text[];
BEGIN
    WITH gone AS (DELETE FROM quota_waiters w WHERE w.namespace = ANY (_namespace) RETURNING w.controller, w.uid),
    w AS (
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT _now, _revision, o.uid, 0, g.controller FROM gone g JOIN objects o ON o.uid = g.uid
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
    RETURN woken;
END
$$;
