-- apply writes many changes as one transaction (S1 to S4). Its arguments are sets of rows, column
-- by column: the changes, one element per change, and what follows from them (owners, selectors,
-- reservations, labels, selected, wakes), whose rows refer to their change by its ordinal, counted
-- from 1. internal/store/rows.go describes each column.
--
--   1. Lock the heads of the objects to update or delete, skipping locked ones: nothing is waited
--      for (S2).
--   2. Acknowledge the wakeups that the caller has handled.
--   3. Lock the counter: the only wait. Its holder waits for nothing.
--   4. Under the counter, in new statements and so in new snapshots, check what a row lock cannot
--      protect: the name is free, the namespace exists and is not terminating, no other object
--      holds an address or a port, the quotas leave room.
--   5. Number and write the changes that passed.
--   6. Wake the controllers that must reconcile them (S7): the cause is the revision of the change
--      that asks.
--   7. Queue what is put off, in real time if other transactions were in the way.
--
-- outcomes holds one letter a change: k kept · x name taken · n no such namespace · t namespace
-- terminating · a a custom resource without a definition · e one whose definition is being deleted
-- · b busy · m moved on · g gone · r reserved by another · s skipped, as the change it needs was
-- not kept · q more than a quota leaves, see refused · v the namespace has other quotas than those
-- that the caller has computed the charges with. The kept changes have the revisions last - kept +
-- 1 … last, in order. heads holds the current revision of every change that moved on.
--
-- _quota says what each change charges to the quotas of its namespace, and which changes create
-- custom resources ("defined"). It is NULL if the caller knows of no quota that applies, and no
-- change creates a custom resource: see charges in internal/store/quota.go.
--
-- The cause of a wakeup is the change that asks, and no other. What is put off keeps the cause of
-- the sync that put it off; if several changes ask for the same time, the first is the cause; a
-- controller's next sync of an object that it has just changed belongs to the same reaction. If no
-- change has asked, as for the first removal of expired Events, the cause is 0.
--
-- Steps 5 to 7 are functions of their own, called only here and under the settings of this one.
-- Such a call takes about one microsecond; with settings of its own it would take three.
CREATE OR REPLACE FUNCTION apply(
    _verb text[], _uid uuid[], _resource text[], _namespace text[], _name text[], _base bigint[],
    _terminating boolean[], _needs integer[], _plan uuid[], _cause bigint[], _writer text[], _body text[],
    _owned integer[], _owner_of integer[], _owner uuid[],
    _selector_of integer[], _selector_controller text[], _selector jsonb[],
    _reserving integer[], _reserved_of integer[], _reserved text[],
    _label_of integer[], _labels jsonb[], _selected_of integer[], _selected_by text[], _selected jsonb[],
    _wake_of integer[], _wake_controller text[], _wake_uid uuid[], _wake_resource text[], _wake_namespace text[], _wake_name text[],
    _wake_due timestamptz[], _wake_terminating boolean[],
    _controller text, _acks bigint[], _again uuid[], _again_due timestamptz[], _again_attempt integer[], _again_cause bigint[], _quota jsonb,
    OUT outcomes text, OUT last bigint, OUT at timestamptz, OUT heads bigint[], OUT woken text[], OUT refused jsonb)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    n        integer := coalesce(cardinality(_uid), 0);
    head     bigint[] := array_fill(NULL::bigint, ARRAY[n]);
    rev      bigint[] := array_fill(NULL::bigint, ARRAY[n]);
    outcome  text[];
    ending   text[]; -- namespaces that begin to terminate by a change of this transaction
    ended    text[]; -- names of definitions that do, which are the resources that they define
    defining constant text := 'customresourcedefinitions.apiextensions.k8s.io';
    deleted  uuid[];
    start_at bigint;
    retry    boolean := false;
    -- Quotas: whether there are any; namespaces whose quotas differ from those that the caller
    -- knows; the slots, which are resources of quotas; and the charges, in the order of the
    -- changes.
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
    now_     timestamptz;
    timeline text; -- of the history
    r        record;
BEGIN
    -- 1. The heads. Here and below, statements without work are skipped: most transactions have
    -- only one verb, and under the counter every microsecond counts.
    IF n > 0 AND NOT 'c' = ALL (_verb) THEN
        FOR r IN
            SELECT c.i, o.revision FROM unnest(_uid, _verb) WITH ORDINALITY AS c (uid, verb, i)
            JOIN objects o ON o.uid = c.uid WHERE c.verb <> 'c'
            FOR NO KEY UPDATE OF o SKIP LOCKED
        LOOP
            head[r.i] := r.revision;
        END LOOP;
    END IF;

    -- 2. The wakeups that the caller has handled.
    IF cardinality(_acks) > 0 THEN
        DELETE FROM wakeups w USING unnest(_acks) AS a (id) WHERE w.id = a.id;
    END IF;

    -- 3. The counter. A transaction that only acknowledges needs no revision, so it waits for
    -- nothing.
    IF n > 0 THEN
        SELECT v.value, greatest(v.at, cluster_now()) INTO start_at, now_ FROM revision v FOR UPDATE;
        -- A server that has just been promoted may lack the last revisions. None is assigned again:
        -- nothing is written before Recognise has begun a new history (S12).
        timeline := (SELECT right(l.identity, 8) FROM lineage l WHERE l.identity LIKE '%/%/%');
        IF timeline IS NOT NULL THEN
            IF timeline <> left(pg_walfile_name(pg_current_wal_lsn()), 8) THEN
                RAISE EXCEPTION 'the server has been promoted, and its new history has not begun yet' USING ERRCODE = 'read_only_sql_transaction';
            END IF;
        END IF;
    ELSE
        SELECT v.value, cluster_now() INTO start_at, now_ FROM revision v;
    END IF;
    last := start_at;
    at := now_;

    -- 4. Each change by itself.
    SELECT array_agg(CASE
        WHEN c.verb = 'c' THEN CASE
            WHEN EXISTS (SELECT FROM objects o WHERE o.resource = c.resource AND o.namespace = c.namespace AND o.name = c.name) THEN 'x'
            WHEN c.namespace = '' THEN 'k'
            WHEN ns.uid IS NULL THEN 'n'
            WHEN ns.terminating THEN 't'
            ELSE 'k' END
        WHEN c.head = c.base THEN 'k'
        WHEN c.head IS NOT NULL THEN 'm'
        WHEN EXISTS (SELECT FROM objects o WHERE o.uid = c.uid) THEN 'b'
        ELSE 'g' END ORDER BY c.i)
    INTO outcome
    FROM unnest(_verb, _uid, _resource, _namespace, _name, _base, head) WITH ORDINALITY
        AS c (verb, uid, resource, namespace, name, base, head, i)
    LEFT JOIN objects ns ON c.verb = 'c' AND ns.resource = 'namespaces' AND ns.namespace = '' AND ns.name = c.namespace;

    -- The definitions of custom resources that are created.
    IF _quota ? 'defined' THEN
        FOR r IN
            SELECT c.i, d.uid, d.terminating FROM (SELECT x::integer AS i FROM jsonb_array_elements_text(_quota -> 'defined') AS x) AS c
            LEFT JOIN objects d ON d.resource = defining AND d.namespace = '' AND d.name = _resource[c.i]
        LOOP
            IF outcome[r.i] = 'k' AND r.uid IS NULL THEN
                outcome[r.i] := 'a';
            ELSIF outcome[r.i] = 'k' AND r.terminating THEN
                outcome[r.i] := 'e';
            END IF;
        END LOOP;
    END IF;

    -- What the quotas of their namespaces leave, and whether the caller knows these quotas.
    IF n > 0 AND EXISTS (SELECT FROM quotas) THEN
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

    -- What an earlier change of this transaction asks for counts as held, even if that change is
    -- not kept: the refused caller tries again.
    IF cardinality(_reserved_of) > 0 THEN
        FOR r IN
            SELECT c.i FROM unnest(_reserved_of, _reserved) AS c (i, key)
            WHERE EXISTS (SELECT FROM reservations v WHERE v.key = c.key AND v.uid <> _uid[c.i])
               OR EXISTS (SELECT FROM unnest(_reserved_of, _reserved) AS e (i, key) WHERE e.key = c.key AND e.i < c.i)
        LOOP
            IF outcome[r.i] = 'k' THEN
                outcome[r.i] := 'r';
            END IF;
        END LOOP;
    END IF;

    -- The changes one after another, because each may depend on those before it. Those that pass
    -- get their numbers.
    FOR i IN 1 .. n LOOP
        IF outcome[i] = 'k' AND _needs[i] > 0 AND outcome[_needs[i]] <> 'k' THEN
            outcome[i] := 's';
        ELSIF outcome[i] = 'k' AND _verb[i] = 'c' AND _namespace[i] = ANY (ending) THEN
            outcome[i] := 't';
        ELSIF outcome[i] = 'k' AND _verb[i] = 'c' AND _resource[i] = ANY (ended) THEN
            outcome[i] := 'e';
        END IF;
        IF charging THEN
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
            last := last + 1;
            rev[i] := last;
            IF _resource[i] = 'namespaces' AND (_terminating[i] OR _verb[i] = 'd') THEN
                ending := ending || _name[i];
            ELSIF _resource[i] = defining AND (_terminating[i] OR _verb[i] = 'd') THEN
                ended := ended || _name[i];
            END IF;
        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't', 'a', 'e', 'q', 'v') AND _plan[i] IS NOT NULL THEN
            retry := true;
        END IF;
        IF outcome[i] = 'm' THEN
            heads := heads || head[i];
        END IF;
    END LOOP;
    outcomes := coalesce(array_to_string(outcome, ''), '');

    IF last > start_at THEN
        -- 5. and 6. They are written, and wake the controllers concerned.
        SELECT w.deleted, w.woken INTO deleted, woken FROM apply_write(rev, now_,
            _verb, _uid, _resource, _namespace, _name, _terminating, _cause, _writer, _body,
            _owned, _owner_of, _owner, _selector_of, _selector_controller, _selector, _reserving, _reserved_of, _reserved) AS w;
        IF cardinality(_label_of) > 0 OR cardinality(_wake_of) > 0 THEN
            woken := woken || apply_wake(rev, now_, _uid, _namespace, _cause, _label_of, _labels,
                _wake_of, _wake_controller, _wake_uid, _wake_resource, _wake_namespace, _wake_name, _wake_due, _wake_terminating, _controller);
        END IF;
        IF cardinality(_selected_of) > 0 AND EXISTS (SELECT FROM selectors s WHERE s.namespace = ANY (_namespace) AND s.controller = ANY (_selected_by)) THEN
            woken := woken || wake_selecting(rev, last, _namespace, _selected_of, _selected_by, _selected);
        END IF;
        IF charging OR _quota ? 'changed' THEN
            woken := woken || charge_quotas(slot_quota, slot_resource, slot_used, slot_format, charge_at, charge_slot, charge_amount,
                ARRAY(SELECT _uid[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _namespace[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT _name[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                ARRAY(SELECT x FROM jsonb_array_elements_text(_quota -> 'spec') AS x),
                ARRAY(SELECT rev[x::integer] FROM jsonb_array_elements_text(_quota -> 'changed') AS x),
                deleted, last, now_);
        END IF;
        UPDATE revision v SET value = apply.last, at = now_;
    END IF;

    -- 7. What must be reconciled again.
    IF retry OR cardinality(_again) > 0 THEN
        PERFORM apply_again(outcome, _plan, _cause, retry, _controller, _again, _again_due, _again_attempt, _again_cause);
    END IF;
END
$$;
