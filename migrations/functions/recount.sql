-- recount sets the usage of a quota to what was counted at a revision, plus what has been charged
-- since. It comes after apply in its transaction, and locks the counter as apply does. If the spec
-- has changed meanwhile, it does nothing: another count is due.
CREATE OR REPLACE FUNCTION recount(_quota uuid, _since bigint, _revision bigint,
    _resource text[], _hard numeric[], _limited text[], _used numeric[], _format text[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_       timestamptz;
    value_     bigint;
    namespace_ text;
BEGIN
    SELECT greatest(v.at, cluster_now()), v.value INTO now_, value_ FROM revision v FOR UPDATE;
    UPDATE quotas q SET counting = false, freed = value_ WHERE q.uid = _quota AND q.since = _since AND q.counting
    RETURNING q.namespace INTO namespace_;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM quota_usage u WHERE u.quota = _quota;
    INSERT INTO quota_usage (quota, resource, hard, used, limited, format)
    SELECT _quota, c.resource, c.hard, c.used + coalesce((
            SELECT sum(j.amount) FROM quota_journal j WHERE j.quota = _quota AND j.revision > _revision AND j.resource = c.resource), 0),
        c.limited, c.format
    FROM unnest(_resource, _hard, _limited, _used, _format) AS c (resource, hard, limited, used, format);
    DELETE FROM quota_journal j WHERE j.quota = _quota;
    INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (now_, _since, _quota, 0, 'resourcequota');
    woken := 'resourcequota'::text || wake_waiters(ARRAY[namespace_], _since, now_);
END
$$;
