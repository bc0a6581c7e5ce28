-- await_room records that a quota has refused an object's controller something, judged by usage
-- that was read at a revision or later. The object is synced when something is freed, and at once
-- if that has happened since. It comes after apply in its transaction.
CREATE OR REPLACE FUNCTION await_room(_controller text, _uid uuid[], _namespace text[], _revision bigint, OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_   timestamptz;
    value_ bigint;
BEGIN
    SELECT greatest(v.at, cluster_now()), v.value INTO now_, value_ FROM revision v FOR UPDATE;
    INSERT INTO quota_waiters (namespace, controller, uid)
    SELECT c.namespace, _controller, o.uid FROM unnest(_uid, _namespace) AS c (uid, namespace) JOIN objects o ON o.uid = c.uid
    ON CONFLICT DO NOTHING;
    woken := wake_waiters(ARRAY(
        SELECT n.namespace FROM (SELECT DISTINCT c.namespace FROM unnest(_namespace) AS c (namespace)) AS n
        WHERE NOT EXISTS (SELECT FROM quotas q WHERE q.namespace = n.namespace)
           OR EXISTS (SELECT FROM quotas q WHERE q.namespace = n.namespace AND q.freed > _revision)), value_, now_);
END
$$;
