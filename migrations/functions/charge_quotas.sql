-- charge_quotas writes what the changes of a transaction have charged; apply has checked them. A
-- slot is a resource of a quota. The charges are parallel arrays: in which revision, to which slot,
-- how much; those without a revision did not happen. changed are ResourceQuotas with a new spec,
-- removed those that were deleted.
CREATE OR REPLACE FUNCTION charge_quotas(_quota uuid[], _resource text[], _used numeric[], _format text[],
    _revision bigint[], _slot integer[], _amount numeric[],
    _changed uuid[], _changed_namespace text[], _changed_name text[], _changed_spec text[], _changed_at bigint[],
    _removed uuid[], _last bigint, _now timestamptz) RETURNS text[]
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    woken text[];
    freed text[]; -- namespaces
BEGIN
    IF cardinality(_slot) > 0 THEN
        INSERT INTO quota_journal (quota, revision, resource, amount)
        SELECT q.uid, c.revision, _resource[c.slot], c.amount
        FROM unnest(_revision, _slot, _amount) AS c (revision, slot, amount) JOIN quotas q ON q.uid = _quota[c.slot]
        WHERE c.revision IS NOT NULL AND q.counting;
        WITH u AS (
            UPDATE quota_usage u SET used = s.used, format = CASE WHEN u.used = 0 THEN s.format ELSE u.format END
            FROM unnest(_quota, _resource, _used, _format) AS s (quota, resource, used, format)
            WHERE u.quota = s.quota AND u.resource = s.resource AND u.used <> s.used
            RETURNING u.quota),
        w AS (
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT DISTINCT _now, (SELECT max(c.revision) FROM unnest(_revision, _slot) AS c (revision, slot) WHERE _quota[c.slot] = u.quota),
                u.quota, 0, 'resourcequota' FROM u WHERE NOT u.quota = ANY (coalesce(_removed, '{}')) RETURNING controller)
        SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
        WITH f AS (
            UPDATE quotas q SET freed = _last
            FROM (SELECT DISTINCT _quota[c.slot] AS uid FROM unnest(_revision, _slot, _amount) AS c (revision, slot, amount)
                  WHERE c.revision IS NOT NULL AND c.amount < 0) AS c
            WHERE q.uid = c.uid
            RETURNING q.namespace)
        SELECT array_agg(DISTINCT f.namespace) INTO freed FROM f;
    END IF;

    IF cardinality(_removed) > 0 THEN
        WITH gone AS (DELETE FROM quotas q WHERE q.uid = ANY (_removed) RETURNING q.namespace)
        SELECT freed || array_agg(DISTINCT gone.namespace) INTO freed FROM gone;
        DELETE FROM quota_usage u WHERE u.quota = ANY (_removed);
        DELETE FROM quota_journal j WHERE j.quota = ANY (_removed);
    END IF;
    IF cardinality(_changed) > 0 THEN
        INSERT INTO quotas AS q (uid, namespace, name, spec, since, counting)
        SELECT c.uid, c.namespace, c.name, c.spec, c.at, true
        FROM unnest(_changed, _changed_namespace, _changed_name, _changed_spec, _changed_at) AS c (uid, namespace, name, spec, at)
        WHERE c.at IS NOT NULL
        ON CONFLICT (uid) DO UPDATE SET spec = excluded.spec, since = excluded.since, counting = true;
        DELETE FROM quota_journal j USING unnest(_changed, _changed_at) AS c (uid, at) WHERE c.at IS NOT NULL AND j.quota = c.uid;
    END IF;
    IF freed IS NOT NULL THEN
        woken := woken || wake_waiters(freed,
            coalesce((SELECT max(c.revision) FROM unnest(_revision, _amount) AS c (revision, amount) WHERE c.amount < 0), _last), _now);
    END IF;
    RETURN woken;
END
$$;
