-- +goose Up

-- What ResourceQuotas go by. Usage is kept exact because it is judged and changed under the counter, in the transaction of the change
-- that it is about: see apply. Where a cluster has no ResourceQuota there are no rows, and nothing of this costs anything.

-- One row for each ResourceQuota, made, changed and removed with it.
CREATE TABLE quotas (
    uid       uuid    PRIMARY KEY,
    namespace text    NOT NULL,
    name      text    NOT NULL,
    spec      text    NOT NULL,          -- tells specs apart: charges must have been computed by this one
    since     bigint  NOT NULL,          -- the revision from which on it is this one
    counting  boolean NOT NULL,          -- nobody has counted yet what there was at that revision
    freed     bigint  NOT NULL DEFAULT 0 -- the newest revision with which something was used no more
);
CREATE INDEX quotas_namespace ON quotas (namespace);

-- How much of each resource may be used, and is. Rows are made by recount. Pages have room for next versions.
CREATE TABLE quota_usage (
    quota    uuid    NOT NULL,
    resource text    NOT NULL,
    hard     numeric NOT NULL,
    used     numeric NOT NULL,
    limited  text    NOT NULL, -- hard, as the spec has it
    format   text    NOT NULL, -- of used: in which of the forms of quantities it is shown
    PRIMARY KEY (quota, resource)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- What has been charged to quotas that are being counted, so that the count may be of a revision that has passed when it comes.
CREATE TABLE quota_journal (
    quota    uuid    NOT NULL,
    revision bigint  NOT NULL,
    resource text    NOT NULL,
    amount   numeric NOT NULL
);
CREATE INDEX quota_journal_quota ON quota_journal (quota, revision);

-- Objects whose controllers were refused something by a quota: they are looked at when there may be room.
CREATE TABLE quota_waiters (
    namespace  text NOT NULL,
    controller text NOT NULL,
    uid        uuid NOT NULL,
    PRIMARY KEY (namespace, controller, uid)
);

-- wake_waiters has those looked at that wait for room in a namespace. The caller holds the counter.
-- +goose StatementBegin
CREATE FUNCTION wake_waiters(_namespace text[], _revision bigint, _now timestamptz) RETURNS text[]
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
-- +goose StatementEnd

-- charge_quotas writes what the changes of a transaction have charged; apply has judged them. A slot is a resource of a quota. The
-- charges stand side by side: in which revision, to which slot, how much; those with no revision did not happen. changed are
-- ResourceQuotas with a new spec, removed those that went.
-- +goose StatementBegin
CREATE FUNCTION charge_quotas(_quota uuid[], _resource text[], _used numeric[], _format text[],
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
            SELECT DISTINCT _now, _last, u.quota, 0, 'resourcequota' FROM u WHERE NOT u.quota = ANY (coalesce(_removed, '{}')) RETURNING controller)
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
        woken := woken || wake_waiters(freed, _last, _now);
    END IF;
    RETURN woken;
END
$$;
-- +goose StatementEnd

-- recount sets the usage of a quota to what somebody has counted in the state of a revision, and to what has been charged since. It stands
-- behind apply in its transaction, and takes the counter as that does. If the spec is another one by now, somebody else counts.
-- +goose StatementBegin
CREATE FUNCTION recount(_quota uuid, _since bigint, _revision bigint,
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
    INSERT INTO wakeups (due, cause, uid, attempt, controller) VALUES (now_, value_, _quota, 0, 'resourcequota');
    woken := 'resourcequota'::text || wake_waiters(ARRAY[namespace_], value_, now_);
END
$$;
-- +goose StatementEnd

-- await_room notes that an object's controller was refused something by a quota, by usage that was read at a revision or later: it is looked at when
-- something is freed, and at once if that has happened since. It stands behind apply in its transaction.
-- +goose StatementBegin
CREATE FUNCTION await_room(_controller text, _uid uuid[], _namespace text[], _revision bigint, OUT woken text[])
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
-- +goose StatementEnd

-- amend_all replaces passages of a function, its arguments and results among them, and fails if one is not there.
-- +goose StatementBegin
CREATE FUNCTION amend_all(_function regproc, VARIADIC _passages text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    text_ text := pg_get_functiondef(_function);
BEGIN
    FOR i IN 1 .. cardinality(_passages) BY 2 LOOP
        IF strpos(text_, _passages[i]) = 0 THEN
            RAISE EXCEPTION 'the function % has no passage %', _function, _passages[i];
        END IF;
        text_ := replace(text_, _passages[i], _passages[i + 1]);
    END LOOP;
    EXECUTE format('DROP FUNCTION %s', _function::regprocedure);
    EXECUTE text_;
END
$$;
-- +goose StatementEnd

-- apply judges, under the counter and change by change, what each charges to the quotas of its namespace: _quota says so, and is NULL where
-- the caller knows of no quota that a change is about. The letters that come with it: q more than a quota leaves, of which refused tells ·
-- v the quotas of the namespace are others than those that the caller went by.
-- +goose StatementBegin
SELECT amend_all('apply',
$$_again_attempt integer[], OUT outcomes$$,
$$_again_attempt integer[], _quota jsonb, OUT outcomes$$,
$$OUT woken text[])$$,
$$OUT woken text[], OUT refused jsonb)$$,

$$    retry    boolean := false;
$$,
$$    retry    boolean := false;
    -- Quotas: whether there are any; namespaces whose quotas are not those that the caller knows; the slots, resources of quotas, and
    -- the charges, in the order of the changes.
    charging       boolean := false;
    stale          text[];
    slot_quota     uuid[] := '{}';
    slot_resource  text[] := '{}';
    slot_format    text[] := '{}';
    slot_used      numeric[];
    slot_hard      numeric[];
    slot_limited   text[];
    charge_of      integer[] := '{}';
    charge_slot    integer[] := '{}';
    charge_amount  numeric[] := '{}';
    charge_judged  boolean[] := '{}';
    charge_at      bigint[] := '{}';
    next_charge    integer := 1;
    this_charge    integer;
    over           uuid; -- the quota that a change would exceed
$$,

$$    -- What an earlier change of this transaction asks for counts as held$$,
$$    IF n > 0 AND EXISTS (SELECT FROM quotas) THEN
        charging := true;
        stale := ARRAY(
            SELECT q.namespace FROM quotas q WHERE q.namespace = ANY (_namespace) GROUP BY q.namespace
            HAVING string_agg(q.uid || '=' || q.spec, ',' ORDER BY q.uid) IS DISTINCT FROM _quota -> 'known' ->> q.namespace);
        IF _quota ? 'of' THEN
            slot_quota := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(_quota -> 'quota') AS x);
            slot_resource := ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'resource') AS x);
            slot_format := ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'format') AS x);
            charge_of := ARRAY(SELECT x::integer FROM jsonb_array_elements_text(_quota -> 'of') AS x);
            charge_slot := ARRAY(SELECT x::integer FROM jsonb_array_elements_text(_quota -> 'slot') AS x);
            charge_amount := ARRAY(SELECT x::numeric FROM jsonb_array_elements_text(_quota -> 'amount') AS x);
            charge_judged := ARRAY(SELECT x::boolean FROM jsonb_array_elements_text(_quota -> 'judged') AS x);
            charge_at := array_fill(NULL::bigint, ARRAY[cardinality(charge_of)]);
            SELECT array_agg(u.used ORDER BY s.i), array_agg(u.hard ORDER BY s.i), array_agg(u.limited ORDER BY s.i) INTO slot_used, slot_hard, slot_limited
            FROM unnest(slot_quota, slot_resource) WITH ORDINALITY AS s (quota, resource, i)
            LEFT JOIN quota_usage u ON u.quota = s.quota AND u.resource = s.resource;
        END IF;
    END IF;

    -- What an earlier change of this transaction asks for counts as held$$,

$$        IF outcome[i] = 'k' THEN
            last := last + 1;$$,
$$        IF charging THEN
            IF outcome[i] = 'k' AND _namespace[i] = ANY (stale) AND _resource[i] <> 'events' THEN
                outcome[i] := 'v';
            END IF;
            this_charge := next_charge;
            over := NULL;
            WHILE charge_of[next_charge] = i LOOP
                IF outcome[i] IN ('k', 'x', 'q') AND charge_judged[next_charge] AND charge_amount[next_charge] > 0
                    AND slot_used[charge_slot[next_charge]] + charge_amount[next_charge] > slot_hard[charge_slot[next_charge]]
                    AND coalesce(over, slot_quota[charge_slot[next_charge]]) = slot_quota[charge_slot[next_charge]] THEN
                    outcome[i] := 'q';
                    over := slot_quota[charge_slot[next_charge]];
                    refused := coalesce(refused, '[]') || jsonb_build_array(jsonb_build_object('charge', next_charge,
                        'used', slot_used[charge_slot[next_charge]]::text, 'limited', slot_limited[charge_slot[next_charge]]));
                END IF;
                next_charge := next_charge + 1;
            END LOOP;
            IF outcome[i] = 'k' THEN
                FOR c IN this_charge .. next_charge - 1 LOOP
                    slot_used[charge_slot[c]] := slot_used[charge_slot[c]] + charge_amount[c];
                    charge_at[c] := last + 1;
                END LOOP;
            END IF;
        END IF;
        IF outcome[i] = 'k' THEN
            last := last + 1;$$,

$$        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't') AND$$,
$$        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v') AND$$,
$$        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't');$$,
$$        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v');$$,

$$        UPDATE revision v SET value = apply.last, at = now_;$$,
$$        IF charging OR _quota ? 'changed' THEN
            woken := woken || charge_quotas(slot_quota, slot_resource, slot_used, slot_format, charge_at, charge_slot, charge_amount,
                ARRAY(SELECT _uid[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _namespace[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _name[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'spec') AS x),
                ARRAY(SELECT rev[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                deleted, last, now_);
        END IF;
        UPDATE revision v SET value = apply.last, at = now_;$$);
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT amend_all('apply',
$$        IF charging OR _quota ? 'changed' THEN
            woken := woken || charge_quotas(slot_quota, slot_resource, slot_used, slot_format, charge_at, charge_slot, charge_amount,
                ARRAY(SELECT _uid[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _namespace[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _name[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'spec') AS x),
                ARRAY(SELECT rev[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                deleted, last, now_);
        END IF;
        UPDATE revision v SET value = apply.last, at = now_;$$,
$$        UPDATE revision v SET value = apply.last, at = now_;$$,
$$        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v');$$,
$$        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't');$$,
$$        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v') AND$$,
$$        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't') AND$$,
$$        IF charging THEN
            IF outcome[i] = 'k' AND _namespace[i] = ANY (stale) AND _resource[i] <> 'events' THEN
                outcome[i] := 'v';
            END IF;
            this_charge := next_charge;
            over := NULL;
            WHILE charge_of[next_charge] = i LOOP
                IF outcome[i] IN ('k', 'x', 'q') AND charge_judged[next_charge] AND charge_amount[next_charge] > 0
                    AND slot_used[charge_slot[next_charge]] + charge_amount[next_charge] > slot_hard[charge_slot[next_charge]]
                    AND coalesce(over, slot_quota[charge_slot[next_charge]]) = slot_quota[charge_slot[next_charge]] THEN
                    outcome[i] := 'q';
                    over := slot_quota[charge_slot[next_charge]];
                    refused := coalesce(refused, '[]') || jsonb_build_array(jsonb_build_object('charge', next_charge,
                        'used', slot_used[charge_slot[next_charge]]::text, 'limited', slot_limited[charge_slot[next_charge]]));
                END IF;
                next_charge := next_charge + 1;
            END LOOP;
            IF outcome[i] = 'k' THEN
                FOR c IN this_charge .. next_charge - 1 LOOP
                    slot_used[charge_slot[c]] := slot_used[charge_slot[c]] + charge_amount[c];
                    charge_at[c] := last + 1;
                END LOOP;
            END IF;
        END IF;
        IF outcome[i] = 'k' THEN
            last := last + 1;$$,
$$        IF outcome[i] = 'k' THEN
            last := last + 1;$$,
$$    IF n > 0 AND EXISTS (SELECT FROM quotas) THEN
        charging := true;
        stale := ARRAY(
            SELECT q.namespace FROM quotas q WHERE q.namespace = ANY (_namespace) GROUP BY q.namespace
            HAVING string_agg(q.uid || '=' || q.spec, ',' ORDER BY q.uid) IS DISTINCT FROM _quota -> 'known' ->> q.namespace);
        IF _quota ? 'of' THEN
            slot_quota := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(_quota -> 'quota') AS x);
            slot_resource := ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'resource') AS x);
            slot_format := ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'format') AS x);
            charge_of := ARRAY(SELECT x::integer FROM jsonb_array_elements_text(_quota -> 'of') AS x);
            charge_slot := ARRAY(SELECT x::integer FROM jsonb_array_elements_text(_quota -> 'slot') AS x);
            charge_amount := ARRAY(SELECT x::numeric FROM jsonb_array_elements_text(_quota -> 'amount') AS x);
            charge_judged := ARRAY(SELECT x::boolean FROM jsonb_array_elements_text(_quota -> 'judged') AS x);
            charge_at := array_fill(NULL::bigint, ARRAY[cardinality(charge_of)]);
            SELECT array_agg(u.used ORDER BY s.i), array_agg(u.hard ORDER BY s.i), array_agg(u.limited ORDER BY s.i) INTO slot_used, slot_hard, slot_limited
            FROM unnest(slot_quota, slot_resource) WITH ORDINALITY AS s (quota, resource, i)
            LEFT JOIN quota_usage u ON u.quota = s.quota AND u.resource = s.resource;
        END IF;
    END IF;

    -- What an earlier change of this transaction asks for counts as held$$,
$$    -- What an earlier change of this transaction asks for counts as held$$,
$$    retry    boolean := false;
    -- Quotas: whether there are any; namespaces whose quotas are not those that the caller knows; the slots, resources of quotas, and
    -- the charges, in the order of the changes.
    charging       boolean := false;
    stale          text[];
    slot_quota     uuid[] := '{}';
    slot_resource  text[] := '{}';
    slot_format    text[] := '{}';
    slot_used      numeric[];
    slot_hard      numeric[];
    slot_limited   text[];
    charge_of      integer[] := '{}';
    charge_slot    integer[] := '{}';
    charge_amount  numeric[] := '{}';
    charge_judged  boolean[] := '{}';
    charge_at      bigint[] := '{}';
    next_charge    integer := 1;
    this_charge    integer;
    over           uuid; -- the quota that a change would exceed
$$,
$$    retry    boolean := false;
$$,
$$OUT woken text[], OUT refused jsonb)$$,
$$OUT woken text[])$$,
$$_again_attempt integer[], _quota jsonb, OUT outcomes$$,
$$_again_attempt integer[], OUT outcomes$$);
-- +goose StatementEnd
DROP FUNCTION amend_all;
DROP FUNCTION await_room;
DROP FUNCTION recount;
DROP FUNCTION charge_quotas;
DROP FUNCTION wake_waiters;
DROP TABLE quota_waiters;
DROP TABLE quota_journal;
DROP TABLE quota_usage;
DROP TABLE quotas;
