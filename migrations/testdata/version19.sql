--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: amend(regproc, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.amend(_function regproc, _old text, _new text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    text_ text := pg_get_functiondef(_function);
BEGIN
    IF strpos(text_, _old) = 0 THEN
        RAISE EXCEPTION 'the function % has no passage %', _function, _old;
    END IF;
    EXECUTE replace(text_, _old, _new);
END
$$;


--
-- Name: amend_all(regproc, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.amend_all(_function regproc, VARIADIC _passages text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: apply(text[], uuid[], text[], text[], text[], bigint[], boolean[], integer[], uuid[], bigint[], text[], json[], integer[], integer[], uuid[], integer[], text[], jsonb[], integer[], integer[], text[], integer[], jsonb[], integer[], text[], uuid[], text[], text[], timestamp with time zone[], boolean[], text, bigint[], uuid[], timestamp with time zone[], integer[], bigint[], jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.apply(_verb text[], _uid uuid[], _resource text[], _namespace text[], _name text[], _base bigint[], _terminating boolean[], _needs integer[], _plan uuid[], _cause bigint[], _writer text[], _body json[], _owned integer[], _owner_of integer[], _owner uuid[], _selector_of integer[], _selector_controller text[], _selector jsonb[], _reserving integer[], _reserved_of integer[], _reserved text[], _label_of integer[], _labels jsonb[], _wake_of integer[], _wake_controller text[], _wake_uid uuid[], _wake_resource text[], _wake_name text[], _wake_due timestamp with time zone[], _wake_terminating boolean[], _controller text, _acks bigint[], _again uuid[], _again_due timestamp with time zone[], _again_attempt integer[], _again_cause bigint[], _quota jsonb, OUT outcomes text, OUT last bigint, OUT at timestamp with time zone, OUT heads bigint[], OUT woken text[], OUT refused jsonb) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    n        integer := coalesce(cardinality(_uid), 0);
    head     bigint[] := array_fill(NULL::bigint, ARRAY[n]);
    rev      bigint[] := array_fill(NULL::bigint, ARRAY[n]);
    outcome  text[];
    ending   text[]; -- namespaces that begin to terminate with a change of this transaction
    deleted  uuid[];
    start_at bigint;
    retry    boolean := false;
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
    now_     timestamptz;
    r        record;
BEGIN
    -- Statements for which there is nothing to do are left out here and below: most transactions are of one verb, and under
    -- the counter every microsecond counts.
    IF n > 0 AND NOT 'c' = ALL (_verb) THEN
        FOR r IN
            SELECT c.i, o.revision FROM unnest(_uid, _verb) WITH ORDINALITY AS c (uid, verb, i)
            JOIN objects o ON o.uid = c.uid WHERE c.verb <> 'c'
            FOR NO KEY UPDATE OF o SKIP LOCKED
        LOOP
            head[r.i] := r.revision;
        END LOOP;
    END IF;

    IF cardinality(_acks) > 0 THEN
        DELETE FROM wakeups w USING unnest(_acks) AS a (id) WHERE w.id = a.id;
    END IF;

    -- A transaction that only acknowledges needs no revision, and so waits for nothing.
    IF n > 0 THEN
        SELECT v.value, greatest(v.at, cluster_now()) INTO start_at, now_ FROM revision v FOR UPDATE;
    ELSE
        SELECT v.value, cluster_now() INTO start_at, now_ FROM revision v;
    END IF;
    last := start_at;
    at := now_;

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

    -- What an earlier change of this transaction asks for counts as held, even if that change is not kept: whoever is refused
    -- tries again.
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

    FOR i IN 1 .. n LOOP
        IF outcome[i] = 'k' AND _needs[i] > 0 AND outcome[_needs[i]] <> 'k' THEN
            outcome[i] := 's';
        ELSIF outcome[i] = 'k' AND _verb[i] = 'c' AND _namespace[i] = ANY (ending) THEN
            outcome[i] := 't';
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
            END IF;
        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v') AND _plan[i] IS NOT NULL THEN
            retry := true;
        END IF;
        IF outcome[i] = 'm' THEN
            heads := heads || head[i];
        END IF;
    END LOOP;
    outcomes := coalesce(array_to_string(outcome, ''), '');

    IF last > start_at THEN
        INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
        SELECT c.rev, now_, c.cause, c.uid, c.verb::"char", c.resource, c.namespace, c.name, c.writer, c.body
        FROM unnest(rev, _cause, _uid, _verb, _resource, _namespace, _name, _writer, _body)
            AS c (rev, cause, uid, verb, resource, namespace, name, writer, body)
        WHERE c.rev IS NOT NULL;

        IF 'c' = ANY (_verb) THEN
            INSERT INTO objects (uid, revision, terminating, resource, namespace, name)
            SELECT c.uid, c.rev, c.terminating, c.resource, c.namespace, c.name
            FROM unnest(rev, _verb, _uid, _terminating, _resource, _namespace, _name) AS c (rev, verb, uid, terminating, resource, namespace, name)
            WHERE c.verb = 'c' AND c.rev IS NOT NULL;
        END IF;
        IF 'u' = ANY (_verb) THEN
            UPDATE objects o SET revision = c.rev, terminating = c.terminating
            FROM unnest(rev, _verb, _uid, _terminating) AS c (rev, verb, uid, terminating)
            WHERE o.uid = c.uid AND c.verb = 'u' AND c.rev IS NOT NULL;
        END IF;
        IF 'd' = ANY (_verb) THEN
            SELECT array_agg(c.uid) INTO deleted FROM unnest(rev, _verb, _uid) AS c (rev, verb, uid) WHERE c.verb = 'd' AND c.rev IS NOT NULL;
        END IF;
        IF deleted IS NOT NULL THEN
            -- Dependents of what goes are looked at by the garbage collector.
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT now_, d.rev, o.uid, 0, 'garbagecollector'
            FROM unnest(rev, _verb, _uid) AS d (rev, verb, uid) JOIN owners o ON o.owner = d.uid
            WHERE d.verb = 'd' AND d.rev IS NOT NULL AND NOT o.uid = ANY (deleted);
            IF FOUND THEN
                woken := woken || 'garbagecollector'::text;
            END IF;
            DELETE FROM objects o USING unnest(deleted) AS d (uid) WHERE o.uid = d.uid;
            DELETE FROM owners o USING unnest(deleted) AS d (uid) WHERE o.uid = d.uid;
            DELETE FROM selectors s USING unnest(deleted) AS d (uid) WHERE s.uid = d.uid;
            DELETE FROM reservations v USING unnest(deleted) AS d (uid) WHERE v.uid = d.uid;
            -- A worker that decides across objects acknowledges without their locks; what it has acknowledged is skipped, as
            -- it may be waiting for the counter.
            DELETE FROM wakeups w WHERE w.id = ANY (ARRAY(
                SELECT v.id FROM unnest(deleted) AS d (uid) JOIN wakeups v ON v.uid = d.uid FOR UPDATE OF v SKIP LOCKED));
        END IF;

        IF cardinality(_owned) > 0 THEN
            DELETE FROM owners o USING unnest(_owned) AS c (i) WHERE rev[c.i] IS NOT NULL AND o.uid = _uid[c.i];
        END IF;
        IF cardinality(_owner_of) > 0 THEN
            INSERT INTO owners (owner, uid)
            SELECT DISTINCT c.owner, _uid[c.i] FROM unnest(_owner_of, _owner) AS c (i, owner) WHERE rev[c.i] IS NOT NULL;
        END IF;
        IF cardinality(_reserving) > 0 THEN
            DELETE FROM reservations v USING unnest(_reserving) AS c (i) WHERE rev[c.i] IS NOT NULL AND v.uid = _uid[c.i];
        END IF;
        IF cardinality(_reserved_of) > 0 THEN
            INSERT INTO reservations (key, uid)
            SELECT c.key, _uid[c.i] FROM unnest(_reserved_of, _reserved) AS c (i, key) WHERE rev[c.i] IS NOT NULL;
        END IF;
        IF cardinality(_selector_of) > 0 THEN
            INSERT INTO selectors AS s (uid, namespace, controller, match)
            SELECT _uid[c.i], _namespace[c.i], c.controller, c.match
            FROM unnest(_selector_of, _selector_controller, _selector) AS c (i, controller, match) WHERE rev[c.i] IS NOT NULL
            ON CONFLICT (uid) DO UPDATE SET controller = excluded.controller, match = excluded.match;
        END IF;

        -- Whoever may select a Pod by its old or its new labels looks at it: over-waking is fine, missing is not (S7).
        IF cardinality(_label_of) > 0 THEN
            WITH w AS (
                INSERT INTO wakeups (due, cause, uid, attempt, controller)
                SELECT DISTINCT ON (s.uid) now_, rev[c.i], s.uid, 0, s.controller
                FROM unnest(_label_of, _labels) AS c (i, labels) JOIN selectors s ON s.namespace = _namespace[c.i] AND c.labels @> s.match AND s.controller <> 'endpoints'
                WHERE rev[c.i] IS NOT NULL
                RETURNING controller)
            SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
        END IF;
        IF cardinality(_wake_of) > 0 THEN
            WITH w AS (
                INSERT INTO wakeups (due, cause, uid, attempt, controller)
                SELECT coalesce(c.due, now_), c.rev, o.uid, 0, c.controller
                FROM (
                    SELECT w.controller, w.uid, w.due, w.terminating,
                        max(CASE WHEN w.controller = _controller AND w.uid = _uid[w.i] AND _cause[w.i] <> 0 THEN greatest(_cause[w.i], 0) ELSE rev[w.i] END) AS rev
                    FROM unnest(_wake_of, _wake_controller, _wake_uid, _wake_due, _wake_terminating) AS w (i, controller, uid, due, terminating)
                    WHERE w.uid IS NOT NULL AND rev[w.i] IS NOT NULL
                    GROUP BY w.controller, w.uid, w.due, w.terminating) AS c
                JOIN objects o ON o.uid = c.uid
                WHERE o.terminating OR NOT c.terminating
                RETURNING controller)
            SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
        END IF;
        IF cardinality(array_remove(_wake_name, NULL)) > 0 THEN
            WITH w AS (
                INSERT INTO wakeups (due, cause, uid, attempt, controller)
                SELECT coalesce(c.due, now_), c.rev, o.uid, 0, c.controller
                FROM (
                    SELECT w.controller, w.resource, w.name, w.due, w.terminating, max(rev[w.i]) AS rev
                    FROM unnest(_wake_of, _wake_controller, _wake_resource, _wake_name, _wake_due, _wake_terminating)
                        AS w (i, controller, resource, name, due, terminating)
                    WHERE w.name IS NOT NULL AND rev[w.i] IS NOT NULL
                    GROUP BY w.controller, w.resource, w.name, w.due, w.terminating) AS c
                JOIN objects o ON o.resource = c.resource AND o.namespace = '' AND o.name = c.name
                WHERE o.terminating OR NOT c.terminating
                RETURNING controller)
            SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
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

    -- The looks to take again: those the caller asks for, and those of plans of which a change was left out, after a
    -- pause of 15 ms in real time: whoever is in the way does not wait for the cluster's clock.
    IF cardinality(_again) > 0 THEN
        INSERT INTO wakeups (due, retry, cause, uid, attempt, controller)
        SELECT a.due, CASE WHEN a.due IS NULL THEN clock_timestamp() + back_off(a.attempt) END, greatest(a.cause, 0), o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt, _again_cause) AS a (uid, due, attempt, cause) JOIN objects o ON o.uid = a.uid
        -- A time that an earlier look has asked for already is waited for on its account: whoever holds the object's lock sees that it is.
        WHERE a.due IS NULL OR NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = a.uid AND w.controller || '' = _controller AND w.due + interval '0' = a.due);
    END IF;
    IF retry THEN
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), greatest(c.cause, 0), o.uid, 0, _controller
        FROM unnest(outcome, _plan, _cause) AS c (outcome, plan, cause) JOIN objects o ON o.uid = c.plan
        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v');
    END IF;
END
$$;


--
-- Name: await_room(text, uuid[], text[], bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.await_room(_controller text, _uid uuid[], _namespace text[], _revision bigint, OUT woken text[]) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: back_off(integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.back_off(_attempt integer) RETURNS interval
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN _attempt <= 0 THEN interval '15 ms' ELSE least(interval '5 ms' * 2 ^ least(_attempt - 1, 20), interval '1000 s') END
$$;


--
-- Name: charge_quotas(uuid[], text[], numeric[], text[], bigint[], integer[], numeric[], uuid[], text[], text[], text[], bigint[], uuid[], bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.charge_quotas(_quota uuid[], _resource text[], _used numeric[], _format text[], _revision bigint[], _slot integer[], _amount numeric[], _changed uuid[], _changed_namespace text[], _changed_name text[], _changed_spec text[], _changed_at bigint[], _removed uuid[], _last bigint, _now timestamp with time zone) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: claim(text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim(_controller text, _limit integer) RETURNS TABLE(uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
    IF cardinality(locked) > 0 THEN
        RETURN QUERY
        SELECT w.uid, array_agg(w.id), max(w.cause), max(w.attempt), (SELECT v.value FROM revision v), now_
        FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
        JOIN wakeups w ON w.uid = l.uid AND w.controller || '' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)
        GROUP BY w.uid;
    END IF;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due
        FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t;
END
$$;


--
-- Name: claim_under(uuid, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_under(_lock uuid, _controller text, _limit integer) RETURNS TABLE(uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    now_ timestamptz := cluster_now();
BEGIN
    PERFORM FROM objects o WHERE o.uid = _lock FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
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


--
-- Name: claim_with_memory(text, integer, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_with_memory(_controller text, _limit integer, _bytes bigint) RETURNS TABLE(uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamp with time zone, memory bytea)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
    IF cardinality(locked) > 0 THEN
        RETURN QUERY
        SELECT t.uid, t.ids, t.cause, t.attempt, (SELECT v.value FROM revision v), now_, t.state
        FROM (
            SELECT c.*, m.state, sum(octet_length(m.state)) OVER (ORDER BY c.cause, c.uid) - octet_length(m.state) AS before
            FROM (
                SELECT w.uid, array_agg(w.id) AS ids, max(w.cause) AS cause, max(w.attempt) AS attempt
                FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
                JOIN wakeups w ON w.uid = l.uid AND w.controller || '' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)
                GROUP BY w.uid) AS c
            LEFT JOIN memories m ON m.uid = c.uid) AS t
        WHERE t.state IS NULL OR t.before < _bytes OR t.before = 0;
    END IF;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due, NULL::bytea
        FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t;
END
$$;


--
-- Name: clock_advance(interval, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clock_advance(_by interval, _to timestamp with time zone, OUT outcome text) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    c      clock := clock_change();
    target timestamptz := coalesce(_to, c.anchor_cluster + _by);
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance = 'running' THEN 'advancing' WHEN target < c.anchor_cluster THEN 'backwards'
        WHEN target > timestamptz '9000-01-01 00:00:00Z' THEN 'beyond' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            speed = 0, resumes = c.speed > 0,
            advance = 'running', advance_from = c.anchor_cluster, advance_to = target, advance_ended = NULL, advance_steps = 0;
    END IF;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.clock (
    one boolean DEFAULT true NOT NULL,
    anchor_cluster timestamp with time zone NOT NULL,
    anchor_real timestamp with time zone NOT NULL,
    speed double precision NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    pace double precision DEFAULT 1 NOT NULL,
    was double precision DEFAULT 1 NOT NULL,
    resumes boolean DEFAULT false NOT NULL,
    advance text DEFAULT 'none'::text NOT NULL,
    advance_from timestamp with time zone,
    advance_to timestamp with time zone,
    advance_ended timestamp with time zone,
    advance_steps bigint DEFAULT 0 NOT NULL,
    CONSTRAINT clock_advance CHECK ((advance = ANY (ARRAY['none'::text, 'running'::text, 'done'::text, 'interrupted'::text]))),
    CONSTRAINT clock_is_one_row CHECK (one),
    CONSTRAINT clock_pace CHECK ((pace > (0)::double precision)),
    CONSTRAINT clock_speed CHECK ((speed >= (0)::double precision)),
    CONSTRAINT clock_stands CHECK (((advance <> 'running'::text) OR (speed = (0)::double precision)))
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');


--
-- Name: clock_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clock_change() RETURNS public.clock
    LANGUAGE plpgsql
    AS $$
DECLARE
    c   clock;
    at_ timestamptz;
BEGIN
    PERFORM FROM revision FOR UPDATE;
    SELECT * INTO c FROM clock;
    IF clock_timestamp() < c.anchor_real THEN
        RETURN NULL;
    END IF;
    at_ := clock_timestamp() + CASE WHEN c.speed > 0 THEN interval '50 ms' ELSE interval '0' END;
    c.anchor_cluster := least(greatest(c.anchor_cluster + (at_ - c.anchor_real) * c.speed + CASE WHEN c.speed <> trunc(c.speed) THEN interval '1 us' ELSE interval '0' END, (SELECT v.at FROM revision v)), timestamptz '9000-01-01 00:00:00Z');
    c.anchor_real := at_;
    c.was := c.speed;
    c.version := c.version + 1;
    RETURN c;
END
$$;


--
-- Name: clock_interrupt(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clock_interrupt(OUT outcome text) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    c clock := clock_change();
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance <> 'running' THEN 'none' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            speed = CASE WHEN c.resumes THEN c.pace ELSE 0 END, advance = 'interrupted', advance_ended = c.anchor_cluster;
    END IF;
END
$$;


--
-- Name: clock_set(boolean, double precision); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clock_set(_running boolean, _speed double precision, OUT outcome text) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
    c clock := clock_change();
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance = 'running' THEN 'advancing' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            pace = coalesce(_speed, c.pace), speed = CASE WHEN _running THEN coalesce(_speed, c.pace) ELSE 0 END;
    END IF;
END
$$;


--
-- Name: clock_step(integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clock_step(_patience integer, OUT outcome text, OUT now timestamp with time zone, OUT speed double precision, OUT version bigint, OUT woken text[]) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    c     clock;
    names text[]; -- of controllers with work
    dues  timestamptz[];
    next_ timestamptz;
BEGIN
    FOR under_the_counter IN 0 .. 1 LOOP
        IF under_the_counter = 1 THEN
            PERFORM FROM revision FOR UPDATE;
        END IF;
        SELECT * INTO c FROM clock;
        now := c.anchor_cluster; -- it stands still
        speed := c.speed;
        version := c.version;
        outcome := 'none';
        IF c.advance <> 'running' THEN
            RETURN;
        END IF;
        SELECT array_agg(d.controller), array_agg(d.due) INTO names, dues FROM next_due() d;
        SELECT array_agg(d.name) INTO woken FROM unnest(names, dues) AS d (name, due) WHERE d.due <= clock_step.now;
        outcome := 'busy';
        IF clock_timestamp() < c.anchor_real OR woken IS NOT NULL OR EXISTS (SELECT FROM wakeups w WHERE w.retry IS NOT NULL AND w.attempt <= _patience) THEN
            RETURN;
        END IF;
    END LOOP;

    c.version := c.version + 1;
    c.anchor_real := clock_timestamp();
    IF c.advance_to IS NULL THEN -- now it is known; that Events expire is nothing to stop for
        SELECT coalesce(min(d.due), now) INTO c.advance_to FROM unnest(names, dues) AS d (name, due) WHERE d.name <> 'eventexpiry';
    END IF;
    SELECT min(d.due) INTO next_ FROM unnest(dues) AS d (due);
    outcome := 'stepped';
    IF next_ IS NULL OR next_ > c.advance_to THEN
        outcome := 'done';
        next_ := c.advance_to;
        c.advance := 'done';
        c.advance_ended := next_;
        IF c.resumes THEN
            c.speed := c.pace;
        END IF;
    END IF;
    c.anchor_cluster := next_;
    IF next_ > now THEN
        c.advance_steps := c.advance_steps + 1;
    END IF;
    UPDATE clock k SET anchor_cluster = c.anchor_cluster, anchor_real = c.anchor_real, speed = c.speed, version = c.version,
        advance = c.advance, advance_to = c.advance_to, advance_ended = c.advance_ended, advance_steps = c.advance_steps;
    now := next_;
    speed := c.speed;
    version := c.version;
    SELECT array_agg(d.name) INTO woken FROM unnest(names, dues) AS d (name, due) WHERE d.due <= clock_step.now;
END
$$;


--
-- Name: cluster_now(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.cluster_now() RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN (SELECT least(c.anchor_cluster + (t - c.anchor_real) * CASE WHEN t < c.anchor_real THEN c.was ELSE c.speed END, timestamptz '9000-01-01 00:00:00Z')
        FROM clock c, clock_timestamp() AS t);
END
$$;


--
-- Name: keep_files(text[], text[], integer[], integer[], integer[], bytea[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_files(_node text[], _path text[], _mode integer[], _uid integer[], _gid integer[], _content bytea[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    r     record;
    node_ text := '';
    files bigint;
    bytes bigint;
    old   bigint;
BEGIN
    FOR r IN
        SELECT f.* FROM unnest(_node, _path, _mode, _uid, _gid, _content) WITH ORDINALITY AS f (node, path, mode, uid, gid, content, i)
        ORDER BY f.node COLLATE "C", f.path COLLATE "C", f.i
    LOOP
        IF r.node <> node_ THEN
            node_ := r.node;
            SELECT count(*), coalesce(sum(octet_length(f.content)), 0) INTO files, bytes FROM node_files f WHERE f.node = node_;
        END IF;
        SELECT octet_length(f.content) INTO old FROM node_files f WHERE f.node = r.node AND f.path = r.path FOR UPDATE;
        IF r.mode IS NULL THEN
            DELETE FROM node_files f WHERE f.node = r.node AND f.path = r.path;
            files := files - (old IS NOT NULL)::integer;
            bytes := bytes - coalesce(old, 0);
        ELSIF files + (old IS NULL)::integer <= 2000 AND bytes - coalesce(old, 0) + octet_length(r.content) <= 16 * 1024 * 1024 THEN
            INSERT INTO node_files AS f (node, path, mode, uid, gid, content) VALUES (r.node, r.path, r.mode, r.uid, r.gid, r.content)
            ON CONFLICT (node, path) DO UPDATE SET mode = excluded.mode, uid = excluded.uid, gid = excluded.gid, content = excluded.content;
            files := files + (old IS NULL)::integer;
            bytes := bytes - coalesce(old, 0) + octet_length(r.content);
        END IF;
    END LOOP;
END
$$;


--
-- Name: next_due(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.next_due() RETURNS TABLE(controller text, due timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
    RETURN QUERY WITH RECURSIVE c AS (
        (SELECT w.controller FROM wakeups w ORDER BY w.controller, w.due LIMIT 1)
        UNION ALL
        SELECT (SELECT w.controller FROM wakeups w WHERE w.controller > c.controller ORDER BY w.controller, w.due LIMIT 1)
        FROM c WHERE c.controller IS NOT NULL)
    SELECT c.controller, (SELECT w.due FROM wakeups w WHERE w.controller = c.controller ORDER BY w.due LIMIT 1) FROM c WHERE c.controller IS NOT NULL;
END
$$;


--
-- Name: recount(uuid, bigint, bigint, text[], numeric[], text[], numeric[], text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.recount(_quota uuid, _since bigint, _revision bigint, _resource text[], _hard numeric[], _limited text[], _used numeric[], _format text[], OUT woken text[]) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: remember(uuid[], bigint[], bytea[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.remember(_uid uuid[], _base bigint[], _state bytea[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: resync(text[], text[], uuid[], interval, interval, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.resync(_controller text[], _resource text[], _lock uuid[], _every interval, _pause interval, _limit integer, OUT wait interval, OUT woken text[]) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE
    nobody  constant uuid := '00000000-0000-0000-0000-000000000000';
    after_  uuid;
    now_    timestamptz;
    page    uuid[];
BEGIN
    SELECT r.after, r.at + CASE WHEN r.after = nobody THEN _every ELSE _pause END - clock_timestamp()
    INTO after_, wait FROM resync r FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        wait := _pause;
    END IF;
    IF wait > interval '0' THEN
        RETURN;
    END IF;

    page := ARRAY(
        SELECT o.uid FROM objects o
        WHERE o.uid > after_ AND (o.resource = ANY (_resource) OR o.uid = ANY (_lock)
            OR '*' = ANY (_resource) AND (o.terminating OR EXISTS (SELECT FROM owners d WHERE d.uid = o.uid)))
        ORDER BY o.uid LIMIT _limit);
    PERFORM FROM revision FOR UPDATE;
    now_ := cluster_now();
    WITH w AS (
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid, c.controller) now_, -1, o.uid, 0, c.controller
        FROM unnest(page) AS p (uid) JOIN objects o ON o.uid = p.uid
        JOIN unnest(_controller, _resource, _lock) AS c (controller, resource, lock)
            ON c.resource = o.resource OR c.lock = o.uid
            OR c.resource = '*' AND (o.terminating OR EXISTS (SELECT FROM owners d WHERE d.uid = o.uid))
        WHERE NOT EXISTS (
            SELECT FROM wakeups v WHERE v.uid = o.uid AND v.controller = c.controller AND v.due <= now_ + interval '1 min')
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;

    after_ := nobody;
    wait := _every;
    IF cardinality(page) = _limit THEN
        after_ := page[_limit];
        wait := _pause;
    END IF;
    UPDATE resync r SET after = after_, at = clock_timestamp();
END
$$;


--
-- Name: wake(text[], uuid[], bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.wake(_controller text[], _uid uuid[], _cause bigint[], OUT woken text[]) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: wake_endpoints(text[], jsonb[], text[], text[], text[], text[], uuid[], uuid[], text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.wake_endpoints(_namespace text[], _labels jsonb[], _resource text[], _in text[], _name text[], _controller text[], _selected uuid[], _changed uuid[], _changed_resource text[], OUT woken text[]) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    now_   timestamptz;
    value_ bigint;
    named  text[];
BEGIN
    SELECT greatest(v.at, cluster_now()), v.value INTO now_, value_ FROM revision v FOR UPDATE;
    WITH w AS (
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (s.uid) clock_timestamp() + interval '100 ms',
            coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = 'pods' AND l.uid = c.uid), value_), s.uid, 0, s.controller
        FROM unnest(_namespace, _labels, _selected) AS c (namespace, labels, uid)
        JOIN selectors s ON s.controller = 'endpoints' AND s.namespace = c.namespace AND c.labels @> s.match
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
    IF cardinality(_name) > 0 THEN
        WITH w AS (
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT DISTINCT ON (o.uid, c.controller) now_,
                coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = c.changed AND l.uid = c.uid), value_), o.uid, 0, c.controller
            FROM unnest(_resource, _in, _name, _controller, _changed, _changed_resource) AS c (resource, namespace, name, controller, uid, changed)
            JOIN objects o ON o.resource = c.resource AND o.namespace = c.namespace AND o.name = c.name
            RETURNING controller)
        SELECT array_agg(DISTINCT w.controller) INTO named FROM w;
        woken := woken || named;
    END IF;
END
$$;


--
-- Name: wake_waiters(text[], bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.wake_waiters(_namespace text[], _revision bigint, _now timestamp with time zone) RETURNS text[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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


--
-- Name: addresses; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.addresses
    AS integer
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    MAXVALUE 8388607
    CACHE 1
    CYCLE;


--
-- Name: fault_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.fault_counts (
    uid uuid NOT NULL,
    seen bigint NOT NULL,
    hits bigint NOT NULL
)
WITH (fillfactor='20');


--
-- Name: forks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.forks (
    name text NOT NULL,
    id uuid NOT NULL,
    state text NOT NULL,
    database text NOT NULL,
    origin text NOT NULL,
    revision bigint NOT NULL,
    created timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires timestamp with time zone,
    CONSTRAINT forks_state CHECK ((state = ANY (ARRAY['making'::text, 'ready'::text, 'removing'::text])))
);


--
-- Name: goose_db_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.goose_db_version (
    id integer NOT NULL,
    version_id bigint NOT NULL,
    is_applied boolean NOT NULL,
    tstamp timestamp without time zone DEFAULT now() NOT NULL
);


--
-- Name: goose_db_version_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.goose_db_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.goose_db_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log (
    revision bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    cause bigint NOT NULL,
    uid uuid NOT NULL,
    verb "char" NOT NULL,
    resource text NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL,
    writer text NOT NULL,
    body json,
    CONSTRAINT log_verb CHECK ((verb = ANY (ARRAY['c'::"char", 'u'::"char", 'd'::"char"])))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.log ALTER COLUMN body SET STORAGE EXTERNAL;


--
-- Name: memories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.memories (
    uid uuid NOT NULL,
    state bytea NOT NULL
)
WITH (toast_tuple_target='8160', fillfactor='60', autovacuum_vacuum_scale_factor='0.1', toast.autovacuum_vacuum_scale_factor='0.1');
ALTER TABLE ONLY public.memories ALTER COLUMN state SET STORAGE EXTERNAL;


--
-- Name: node_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.node_files (
    node text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    mode integer NOT NULL,
    uid integer NOT NULL,
    gid integer NOT NULL,
    content bytea NOT NULL
)
WITH (toast_tuple_target='8160');


--
-- Name: objects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.objects (
    uid uuid NOT NULL,
    revision bigint NOT NULL,
    terminating boolean NOT NULL,
    resource text NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL
)
WITH (fillfactor='60');


--
-- Name: owners; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owners (
    owner uuid NOT NULL,
    uid uuid NOT NULL
);


--
-- Name: quota_journal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_journal (
    quota uuid NOT NULL,
    revision bigint NOT NULL,
    resource text NOT NULL,
    amount numeric NOT NULL
);


--
-- Name: quota_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_usage (
    quota uuid NOT NULL,
    resource text NOT NULL,
    hard numeric NOT NULL,
    used numeric NOT NULL,
    limited text NOT NULL,
    format text NOT NULL
)
WITH (fillfactor='20', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');


--
-- Name: quota_waiters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_waiters (
    namespace text NOT NULL,
    controller text NOT NULL,
    uid uuid NOT NULL
);


--
-- Name: quotas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quotas (
    uid uuid NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL,
    spec text NOT NULL,
    since bigint NOT NULL,
    counting boolean NOT NULL,
    freed bigint DEFAULT 0 NOT NULL
);


--
-- Name: reservations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reservations (
    key text NOT NULL,
    uid uuid NOT NULL
);


--
-- Name: resync; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.resync (
    one boolean DEFAULT true NOT NULL,
    after uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT resync_is_one_row CHECK (one)
);


--
-- Name: revision; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.revision (
    one boolean DEFAULT true NOT NULL,
    value bigint NOT NULL,
    compacted bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT revision_is_one_row CHECK (one)
)
WITH (fillfactor='10', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500');


--
-- Name: selectors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.selectors (
    uid uuid NOT NULL,
    namespace text NOT NULL,
    controller text NOT NULL,
    match jsonb NOT NULL
);


--
-- Name: snapshot_pieces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.snapshot_pieces (
    snapshot uuid NOT NULL,
    piece integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY public.snapshot_pieces ALTER COLUMN content SET STORAGE EXTERNAL;


--
-- Name: snapshots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.snapshots (
    id uuid NOT NULL,
    name text NOT NULL,
    whole boolean DEFAULT false NOT NULL,
    passing boolean NOT NULL,
    touched timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    header json,
    records bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL
);


--
-- Name: wakeups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wakeups (
    id bigint NOT NULL,
    due timestamp with time zone,
    cause bigint NOT NULL,
    uid uuid NOT NULL,
    attempt integer NOT NULL,
    controller text NOT NULL,
    retry timestamp with time zone,
    CONSTRAINT wakeups_time CHECK (((due IS NULL) <> (retry IS NULL)))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');


--
-- Name: wakeups_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.wakeups ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.wakeups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: clock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.clock VALUES
	(true, '2026-11-22 14:49:48.290905+00', '2026-11-22 14:49:38.46066+00', 0, 4, 1, 0, false, 'done', '2026-11-22 14:49:38.290905+00', '2026-11-22 14:49:48.290905+00', '2026-11-22 14:49:48.290905+00', 2);


--
-- Data for Name: fault_counts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.fault_counts VALUES
	('01a203bb-eed1-79fa-bde2-5dfb50bac0ff', 1, 1);


--
-- Data for Name: forks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-22 14:49:00.333698'),
	(2, 1, true, '2026-11-22 14:49:00.355231'),
	(3, 2, true, '2026-11-22 14:49:00.383442'),
	(4, 3, true, '2026-11-22 14:49:00.390206'),
	(5, 4, true, '2026-11-22 14:49:00.392795'),
	(6, 5, true, '2026-11-22 14:49:00.395687'),
	(7, 6, true, '2026-11-22 14:49:00.39712'),
	(8, 7, true, '2026-11-22 14:49:00.401982'),
	(9, 8, true, '2026-11-22 14:49:00.409116'),
	(10, 9, true, '2026-11-22 14:49:00.441848'),
	(11, 10, true, '2026-11-22 14:49:00.44689'),
	(12, 11, true, '2026-11-22 14:49:00.454742'),
	(13, 12, true, '2026-11-22 14:49:00.463953'),
	(14, 13, true, '2026-11-22 14:49:00.466669'),
	(15, 15, true, '2026-11-22 14:49:00.473565'),
	(16, 18, true, '2026-11-22 14:49:00.488071'),
	(17, 19, true, '2026-11-22 14:49:00.494586');


--
-- Data for Name: log; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.log VALUES
	(1, '2026-11-22 14:49:00.516989+00', -1, '01a203bb-5d55-741b-95ce-9b232ab4a8ff', 'c', 'storageclasses.storage.k8s.io', '', 'standard', 'rowlock', '{"kind":"StorageClass","apiVersion":"storage.k8s.io/v1","metadata":{"name":"standard","uid":"01a203bb-5d55-741b-95ce-9b232ab4a8ff","creationTimestamp":"2026-11-22T14:49:00Z","annotations":{"storageclass.kubernetes.io/is-default-class":"true"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"storage.k8s.io/v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:allowVolumeExpansion":{},"f:metadata":{"f:annotations":{".":{},"f:storageclass.kubernetes.io/is-default-class":{}}},"f:provisioner":{},"f:reclaimPolicy":{},"f:volumeBindingMode":{}}}]},"provisioner":"rowlock.io/emulated","reclaimPolicy":"Delete","allowVolumeExpansion":true,"volumeBindingMode":"WaitForFirstConsumer"}'),
	(2, '2026-11-22 14:49:00.528731+00', -1, '01a203bb-5d6c-7874-88d0-c011ca846a7d', 'c', 'namespaces', '', 'default', 'rowlock', '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"default","uid":"01a203bb-5d6c-7874-88d0-c011ca846a7d","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"kubernetes.io/metadata.name":"default"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}}]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}'),
	(3, '2026-11-22 14:49:00.535635+00', -1, '01a203bb-5d6c-7ce3-b913-c16b50b5f921', 'c', 'namespaces', '', 'kube-system', 'rowlock', '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-system","uid":"01a203bb-5d6c-7ce3-b913-c16b50b5f921","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"kubernetes.io/metadata.name":"kube-system"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}}]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}'),
	(4, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6c-7e2c-a588-335fad5487ab', 'c', 'namespaces', '', 'kube-node-lease', 'rowlock', '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-node-lease","uid":"01a203bb-5d6c-7e2c-a588-335fad5487ab","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"kubernetes.io/metadata.name":"kube-node-lease"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}}]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}'),
	(5, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6c-7d05-b26a-5eae2cec4646', 'c', 'namespaces', '', 'kube-public', 'rowlock', '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-public","uid":"01a203bb-5d6c-7d05-b26a-5eae2cec4646","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"kubernetes.io/metadata.name":"kube-public"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}}]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}'),
	(6, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6c-7e41-89a1-ef5dd03e6837', 'c', 'priorityclasses.scheduling.k8s.io', '', 'system-cluster-critical', 'rowlock', '{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"system-cluster-critical","uid":"01a203bb-5d6c-7e41-89a1-ef5dd03e6837","generation":1,"creationTimestamp":"2026-11-22T14:49:00Z","managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"scheduling.k8s.io/v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:description":{},"f:preemptionPolicy":{},"f:value":{}}}]},"value":2000000000,"description":"Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.","preemptionPolicy":"PreemptLowerPriority"}'),
	(7, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6d-7091-880a-799aa666e874', 'c', 'priorityclasses.scheduling.k8s.io', '', 'system-node-critical', 'rowlock', '{"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"system-node-critical","uid":"01a203bb-5d6d-7091-880a-799aa666e874","generation":1,"creationTimestamp":"2026-11-22T14:49:00Z","managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"scheduling.k8s.io/v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:description":{},"f:preemptionPolicy":{},"f:value":{}}}]},"value":2000001000,"description":"Used for system critical pods that must not be moved from their current node.","preemptionPolicy":"PreemptLowerPriority"}'),
	(10, '2026-11-22 14:49:00.545173+00', -1, '01a203bb-5d80-7140-b5ad-0e56f6b78259', 'c', 'services', 'default', 'kubernetes', 'rowlock', '{"kind":"Service","apiVersion":"v1","metadata":{"name":"kubernetes","namespace":"default","uid":"01a203bb-5d80-7140-b5ad-0e56f6b78259","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"component":"apiserver","provider":"kubernetes"},"managedFields":[{"manager":"kube-apiserver","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:component":{},"f:provider":{}}},"f:spec":{"f:clusterIP":{},"f:internalTrafficPolicy":{},"f:ipFamilyPolicy":{},"f:ports":{".":{},"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:sessionAffinity":{},"f:type":{}}}}]},"spec":{"ports":[{"name":"https","protocol":"TCP","port":443,"targetPort":6443}],"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}'),
	(12, '2026-11-22 14:49:00.62295+00', 2, '01a203bb-5dca-72c6-84a7-5091241699bf', 'c', 'configmaps', 'default', 'kube-root-ca.crt', 'service-account-controller', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"default","uid":"01a203bb-5dca-72c6-84a7-5091241699bf","creationTimestamp":"2026-11-22T14:49:00Z","annotations":{"kubernetes.io/description":"Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:ca.crt":{}},"f:metadata":{"f:annotations":{".":{},"f:kubernetes.io/description":{}}}}}]},"data":{"ca.crt":""}}'),
	(13, '2026-11-22 14:49:00.62295+00', 3, '01a203bb-5dca-7411-bf3b-18b170f7754d', 'c', 'serviceaccounts', 'kube-system', 'default', 'service-account-controller', '{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default","namespace":"kube-system","uid":"01a203bb-5dca-7411-bf3b-18b170f7754d","creationTimestamp":"2026-11-22T14:49:00Z"}}'),
	(14, '2026-11-22 14:49:00.62295+00', 3, '01a203bb-5dca-743b-bdc4-371a14390275', 'c', 'configmaps', 'kube-system', 'kube-root-ca.crt', 'service-account-controller', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"kube-system","uid":"01a203bb-5dca-743b-bdc4-371a14390275","creationTimestamp":"2026-11-22T14:49:00Z","annotations":{"kubernetes.io/description":"Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:ca.crt":{}},"f:metadata":{"f:annotations":{".":{},"f:kubernetes.io/description":{}}}}}]},"data":{"ca.crt":""}}'),
	(8, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6d-7121-9d0d-689c143324ac', 'c', 'nodes', '', 'node-1', 'rowlock', '{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-1","uid":"01a203bb-5d6d-7121-9d0d-689c143324ac","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-1","kubernetes.io/os":"linux"},"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:beta.kubernetes.io/arch":{},"f:beta.kubernetes.io/os":{},"f:kubernetes.io/arch":{},"f:kubernetes.io/hostname":{},"f:kubernetes.io/os":{}}},"f:spec":{"f:providerID":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:addresses":{".":{},"k:{\"type\":\"Hostname\"}":{".":{},"f:address":{},"f:type":{}},"k:{\"type\":\"InternalIP\"}":{".":{},"f:address":{},"f:type":{}}},"f:allocatable":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:capacity":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:conditions":{".":{},"k:{\"type\":\"DiskPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"MemoryPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PIDPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:daemonEndpoints":{"f:kubeletEndpoint":{"f:Port":{}}},"f:nodeInfo":{"f:architecture":{},"f:bootID":{},"f:containerRuntimeVersion":{},"f:kernelVersion":{},"f:kubeletVersion":{},"f:machineID":{},"f:operatingSystem":{},"f:osImage":{},"f:systemUUID":{}}}},"subresource":"status"}]},"spec":{"providerID":"rowlock://node-1"},"status":{"capacity":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"allocatable":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"conditions":[{"type":"MemoryPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available"},{"type":"DiskPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasNoDiskPressure","message":"kubelet has no disk pressure"},{"type":"PIDPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientPID","message":"kubelet has sufficient PID available"},{"type":"Ready","status":"True","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletReady","message":"kubelet is posting ready status"}],"addresses":[{"type":"InternalIP","address":"172.21.151.27"},{"type":"Hostname","address":"node-1"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{"machineID":"35971be6e9bb024a895582fe0e42e048","systemUUID":"35971be6-e9bb-024a-8955-82fe0e42e048","bootID":"35971be6-e9bb-024a-8955-82fe0e42e048","kernelVersion":"6.12.0","osImage":"Rowlock emulated node","containerRuntimeVersion":"containerd://2.2.0","kubeletVersion":"v1.36.6","kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"}}}'),
	(9, '2026-11-22 14:49:00.54207+00', -1, '01a203bb-5d6e-7161-ac52-88948936ac27', 'c', 'nodes', '', 'node-2', 'rowlock', '{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-2","uid":"01a203bb-5d6e-7161-ac52-88948936ac27","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-2","kubernetes.io/os":"linux"},"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:beta.kubernetes.io/arch":{},"f:beta.kubernetes.io/os":{},"f:kubernetes.io/arch":{},"f:kubernetes.io/hostname":{},"f:kubernetes.io/os":{}}},"f:spec":{"f:providerID":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:addresses":{".":{},"k:{\"type\":\"Hostname\"}":{".":{},"f:address":{},"f:type":{}},"k:{\"type\":\"InternalIP\"}":{".":{},"f:address":{},"f:type":{}}},"f:allocatable":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:capacity":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:conditions":{".":{},"k:{\"type\":\"DiskPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"MemoryPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PIDPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:daemonEndpoints":{"f:kubeletEndpoint":{"f:Port":{}}},"f:nodeInfo":{"f:architecture":{},"f:bootID":{},"f:containerRuntimeVersion":{},"f:kernelVersion":{},"f:kubeletVersion":{},"f:machineID":{},"f:operatingSystem":{},"f:osImage":{},"f:systemUUID":{}}}},"subresource":"status"}]},"spec":{"providerID":"rowlock://node-2"},"status":{"capacity":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"allocatable":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"conditions":[{"type":"MemoryPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available"},{"type":"DiskPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasNoDiskPressure","message":"kubelet has no disk pressure"},{"type":"PIDPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientPID","message":"kubelet has sufficient PID available"},{"type":"Ready","status":"True","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletReady","message":"kubelet is posting ready status"}],"addresses":[{"type":"InternalIP","address":"172.23.121.245"},{"type":"Hostname","address":"node-2"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{"machineID":"1779f59f4df251f6b81aeb08fb52a5d8","systemUUID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","bootID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","kernelVersion":"6.12.0","osImage":"Rowlock emulated node","containerRuntimeVersion":"containerd://2.2.0","kubeletVersion":"v1.36.6","kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"}}}'),
	(11, '2026-11-22 14:49:00.62295+00', 2, '01a203bb-5dc9-7dc0-b812-e4c7d52d1b29', 'c', 'serviceaccounts', 'default', 'default', 'service-account-controller', '{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default","namespace":"default","uid":"01a203bb-5dc9-7dc0-b812-e4c7d52d1b29","creationTimestamp":"2026-11-22T14:49:00Z"}}'),
	(15, '2026-11-22 14:49:00.62295+00', 4, '01a203bb-5dca-7473-af88-175288404690', 'c', 'serviceaccounts', 'kube-node-lease', 'default', 'service-account-controller', '{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default","namespace":"kube-node-lease","uid":"01a203bb-5dca-7473-af88-175288404690","creationTimestamp":"2026-11-22T14:49:00Z"}}'),
	(16, '2026-11-22 14:49:00.62295+00', 4, '01a203bb-5dca-74bb-b8db-2109fea26e2a', 'c', 'configmaps', 'kube-node-lease', 'kube-root-ca.crt', 'service-account-controller', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"kube-node-lease","uid":"01a203bb-5dca-74bb-b8db-2109fea26e2a","creationTimestamp":"2026-11-22T14:49:00Z","annotations":{"kubernetes.io/description":"Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:ca.crt":{}},"f:metadata":{"f:annotations":{".":{},"f:kubernetes.io/description":{}}}}}]},"data":{"ca.crt":""}}'),
	(17, '2026-11-22 14:49:00.62295+00', 5, '01a203bb-5dca-750c-8a24-7b318fc8a4bf', 'c', 'serviceaccounts', 'kube-public', 'default', 'service-account-controller', '{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default","namespace":"kube-public","uid":"01a203bb-5dca-750c-8a24-7b318fc8a4bf","creationTimestamp":"2026-11-22T14:49:00Z"}}'),
	(18, '2026-11-22 14:49:00.62295+00', 5, '01a203bb-5dca-7522-8e40-cb11c373645f', 'c', 'configmaps', 'kube-public', 'kube-root-ca.crt', 'service-account-controller', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"kube-public","uid":"01a203bb-5dca-7522-8e40-cb11c373645f","creationTimestamp":"2026-11-22T14:49:00Z","annotations":{"kubernetes.io/description":"Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:ca.crt":{}},"f:metadata":{"f:annotations":{".":{},"f:kubernetes.io/description":{}}}}}]},"data":{"ca.crt":""}}'),
	(19, '2026-11-22 14:49:33.403845+00', 0, '01a203bb-ddd9-79bf-8d68-bfaffb8cbc09', 'c', 'namespaces', '', 'shop', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"shop","uid":"01a203bb-ddd9-79bf-8d68-bfaffb8cbc09","creationTimestamp":"2026-11-22T14:49:33Z","labels":{"kubernetes.io/metadata.name":"shop"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"annotations\":{},\"name\":\"shop\"}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}}]},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}'),
	(20, '2026-11-22 14:49:33.411914+00', 19, '01a203bb-dde2-7986-8a90-4519593e5b3f', 'c', 'serviceaccounts', 'shop', 'default', 'service-account-controller', '{"kind":"ServiceAccount","apiVersion":"v1","metadata":{"name":"default","namespace":"shop","uid":"01a203bb-dde2-7986-8a90-4519593e5b3f","creationTimestamp":"2026-11-22T14:49:33Z"}}'),
	(21, '2026-11-22 14:49:33.411914+00', 19, '01a203bb-dde2-7ab0-85b0-69feb1730aa3', 'c', 'configmaps', 'shop', 'kube-root-ca.crt', 'service-account-controller', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt","namespace":"shop","uid":"01a203bb-dde2-7ab0-85b0-69feb1730aa3","creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubernetes.io/description":"Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:ca.crt":{}},"f:metadata":{"f:annotations":{".":{},"f:kubernetes.io/description":{}}}}}]},"data":{"ca.crt":""}}'),
	(22, '2026-11-22 14:49:33.427693+00', 0, '01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 'c', 'deployments.apps', 'shop', 'web', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"annotations\":{},\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"image\":\"nginx\",\"name\":\"web\",\"resources\":{\"requests\":{\"cpu\":\"100m\"}}}]}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600},"status":{}}'),
	(26, '2026-11-22 14:49:33.448438+00', 0, '01a203bb-de06-7c5a-8e78-10c51057c8de', 'c', 'services', 'shop', 'web', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-de06-7c5a-8e78-10c51057c8de","creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"annotations\":{},\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"ports\":[{\"nodePort\":30080,\"port\":80}],\"selector\":{\"app\":\"web\"},\"type\":\"NodePort\"}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:externalTrafficPolicy":{},"f:internalTrafficPolicy":{},"f:ports":{".":{},"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:nodePort":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{},"f:sessionAffinity":{},"f:type":{}}}}]},"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":80,"nodePort":30080}],"selector":{"app":"web"},"clusterIP":"10.96.51.156","clusterIPs":["10.96.51.156"],"type":"NodePort","sessionAffinity":"None","externalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}'),
	(23, '2026-11-22 14:49:33.434731+00', 22, '01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 'u', 'deployments.apps', 'shop', 'web', 'deployment-controller', '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"deployment.kubernetes.io/revision":"1","kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"annotations\":{},\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"image\":\"nginx\",\"name\":\"web\",\"resources\":{\"requests\":{\"cpu\":\"100m\"}}}]}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}},"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Available\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Progressing\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{},"f:terminatingReplicas":{},"f:unavailableReplicas":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600},"status":{"observedGeneration":1,"unavailableReplicas":2,"terminatingReplicas":0,"conditions":[{"type":"Progressing","status":"True","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"NewReplicaSetCreated","message":"Created new replica set \"web-7b4759b96c\""},{"type":"Available","status":"False","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"MinimumReplicasUnavailable","message":"Deployment does not have minimum availability."}]}}'),
	(24, '2026-11-22 14:49:33.434731+00', 22, '01a203bb-ddf7-78ea-ad20-fd1a167259ce', 'c', 'replicasets.apps', 'shop', 'web-7b4759b96c', 'deployment-controller', '{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-7b4759b96c","namespace":"shop","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"annotations":{"deployment.kubernetes.io/desired-replicas":"2","deployment.kubernetes.io/max-replicas":"3","deployment.kubernetes.io/revision":"1"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/desired-replicas":{},"f:deployment.kubernetes.io/max-replicas":{},"f:deployment.kubernetes.io/revision":{}},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf0-755a-98a3-c24b9d4c31c1\"}":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web","pod-template-hash":"7b4759b96c"}},"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"7b4759b96c"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}},"status":{"replicas":0}}'),
	(25, '2026-11-22 14:49:33.434731+00', 22, '01a203bb-ddf8-742d-88c1-0655d54ea9e2', 'c', 'events', 'shop', 'web.18ea65795f9e3b15', 'deployment-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web.18ea65795f9e3b15","namespace":"shop","uid":"01a203bb-ddf8-742d-88c1-0655d54ea9e2","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Deployment","namespace":"shop","name":"web","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","apiVersion":"apps/v1","resourceVersion":"22"},"reason":"ScalingReplicaSet","message":"Scaled up replica set web-7b4759b96c from 0 to 2","source":{"component":"deployment-controller"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"deployment-controller","reportingInstance":""}'),
	(30, '2026-11-22 14:49:33.45476+00', 24, '01a203bb-de08-7d42-a00e-7544e5cca8cb', 'c', 'events', 'shop', 'web-7b4759b96c.18ea65796048d2f5', 'replicaset-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c.18ea65796048d2f5","namespace":"shop","uid":"01a203bb-de08-7d42-a00e-7544e5cca8cb","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"ReplicaSet","namespace":"shop","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","apiVersion":"apps/v1","resourceVersion":"24"},"reason":"SuccessfulCreate","message":"Created pod: web-7b4759b96c-6785b","source":{"component":"replicaset-controller"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"replicaset-controller","reportingInstance":""}'),
	(27, '2026-11-22 14:49:33.45476+00', 24, '01a203bb-ddf7-78ea-ad20-fd1a167259ce', 'u', 'replicasets.apps', 'shop', 'web-7b4759b96c', 'replicaset-controller', '{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-7b4759b96c","namespace":"shop","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"annotations":{"deployment.kubernetes.io/desired-replicas":"2","deployment.kubernetes.io/max-replicas":"3","deployment.kubernetes.io/revision":"1"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/desired-replicas":{},"f:deployment.kubernetes.io/max-replicas":{},"f:deployment.kubernetes.io/revision":{}},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf0-755a-98a3-c24b9d4c31c1\"}":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:observedGeneration":{},"f:terminatingReplicas":{}}},"subresource":"status"}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web","pod-template-hash":"7b4759b96c"}},"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"7b4759b96c"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}},"status":{"replicas":0,"terminatingReplicas":0,"observedGeneration":1}}'),
	(28, '2026-11-22 14:49:33.45476+00', 24, '01a203bb-de03-7370-8ad3-314c8685c30e', 'c', 'pods', 'shop', 'web-7b4759b96c-6785b', 'replicaset-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-p9lbd","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-p9lbd","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"Burstable"}}'),
	(29, '2026-11-22 14:49:33.45476+00', 24, '01a203bb-de08-7a2b-a1c8-1d84b17cd0cc', 'c', 'pods', 'shop', 'web-7b4759b96c-kx8w7', 'replicaset-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-xdz7k","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-xdz7k","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"Burstable"}}'),
	(31, '2026-11-22 14:49:33.45476+00', 24, '01a203bb-de08-7df0-9a88-9f71fad8cb43', 'c', 'events', 'shop', 'web-7b4759b96c.18ea65796049d2f5', 'replicaset-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c.18ea65796049d2f5","namespace":"shop","uid":"01a203bb-de08-7df0-9a88-9f71fad8cb43","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"ReplicaSet","namespace":"shop","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","apiVersion":"apps/v1","resourceVersion":"24"},"reason":"SuccessfulCreate","message":"Created pod: web-7b4759b96c-kx8w7","source":{"component":"replicaset-controller"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"replicaset-controller","reportingInstance":""}'),
	(38, '2026-11-22 14:49:33.470717+00', 33, '01a203bb-ddf7-78ea-ad20-fd1a167259ce', 'u', 'replicasets.apps', 'shop', 'web-7b4759b96c', 'replicaset-controller', '{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-7b4759b96c","namespace":"shop","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"annotations":{"deployment.kubernetes.io/desired-replicas":"2","deployment.kubernetes.io/max-replicas":"3","deployment.kubernetes.io/revision":"1"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/desired-replicas":{},"f:deployment.kubernetes.io/max-replicas":{},"f:deployment.kubernetes.io/revision":{}},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf0-755a-98a3-c24b9d4c31c1\"}":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:fullyLabeledReplicas":{},"f:observedGeneration":{},"f:replicas":{},"f:terminatingReplicas":{}}},"subresource":"status"}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web","pod-template-hash":"7b4759b96c"}},"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"7b4759b96c"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}},"status":{"replicas":2,"fullyLabeledReplicas":2,"terminatingReplicas":0,"observedGeneration":1}}'),
	(51, '2026-11-22 14:49:33.496521+00', 0, '01a203bb-de2d-7813-8194-e44c883d6db9', 'c', 'resourcequotas', 'shop', 'small', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"small","namespace":"shop","uid":"01a203bb-de2d-7813-8194-e44c883d6db9","creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"ResourceQuota\",\"metadata\":{\"annotations\":{},\"name\":\"small\",\"namespace\":\"shop\"},\"spec\":{\"hard\":{\"pods\":\"8\",\"requests.cpu\":\"2\"}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:hard":{".":{},"f:pods":{},"f:requests.cpu":{}}}}}]},"spec":{"hard":{"pods":"8","requests.cpu":"2"}},"status":{}}'),
	(54, '2026-11-22 14:49:33.520025+00', 51, '01a203bb-de2d-7813-8194-e44c883d6db9', 'u', 'resourcequotas', 'shop', 'small', 'resourcequota-controller', '{"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"small","namespace":"shop","uid":"01a203bb-de2d-7813-8194-e44c883d6db9","creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"ResourceQuota\",\"metadata\":{\"annotations\":{},\"name\":\"small\",\"namespace\":\"shop\"},\"spec\":{\"hard\":{\"pods\":\"8\",\"requests.cpu\":\"2\"}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:hard":{".":{},"f:pods":{},"f:requests.cpu":{}},"f:used":{".":{},"f:pods":{},"f:requests.cpu":{}}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:hard":{".":{},"f:pods":{},"f:requests.cpu":{}}}}}]},"spec":{"hard":{"pods":"8","requests.cpu":"2"}},"status":{"hard":{"pods":"8","requests.cpu":"2"},"used":{"pods":"2","requests.cpu":"200m"}}}'),
	(32, '2026-11-22 14:49:33.464032+00', 28, '01a203bb-de03-7370-8ad3-314c8685c30e', 'u', 'pods', 'shop', 'web-7b4759b96c-6785b', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-p9lbd","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-p9lbd","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"qosClass":"Burstable"}}'),
	(33, '2026-11-22 14:49:33.464032+00', 29, '01a203bb-de08-7a2b-a1c8-1d84b17cd0cc', 'u', 'pods', 'shop', 'web-7b4759b96c-kx8w7', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-xdz7k","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-xdz7k","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-2","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"qosClass":"Burstable"}}'),
	(34, '2026-11-22 14:49:33.464032+00', 28, '01a203bb-de16-7466-a89a-737c2e672b7a', 'c', 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961786d9d', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b.18ea657961786d9d","namespace":"shop","uid":"01a203bb-de16-7466-a89a-737c2e672b7a","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","apiVersion":"v1","resourceVersion":"28"},"reason":"Scheduled","message":"Successfully assigned shop/web-7b4759b96c-6785b to node-1","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(35, '2026-11-22 14:49:33.464032+00', 29, '01a203bb-de16-7540-a40a-6c18d1fddc15', 'c', 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea657961796d9d', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7.18ea657961796d9d","namespace":"shop","uid":"01a203bb-de16-7540-a40a-6c18d1fddc15","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","apiVersion":"v1","resourceVersion":"29"},"reason":"Scheduled","message":"Successfully assigned shop/web-7b4759b96c-kx8w7 to node-2","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(36, '2026-11-22 14:49:33.466038+00', 26, '01a203bb-de19-7079-8f5d-d90bd0882575', 'c', 'endpointslices.discovery.k8s.io', 'shop', 'web-bfgwp', 'endpointslice-controller', '{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"name":"web-bfgwp","generateName":"web-","namespace":"shop","uid":"01a203bb-de19-7079-8f5d-d90bd0882575","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io","kubernetes.io/service-name":"web"},"annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-22T14:49:33Z"},"ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"01a203bb-de06-7c5a-8e78-10c51057c8de","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"discovery.k8s.io/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:addressType":{},"f:endpoints":{},"f:metadata":{"f:annotations":{".":{},"f:endpoints.kubernetes.io/last-change-trigger-time":{}},"f:generateName":{},"f:labels":{".":{},"f:endpointslice.kubernetes.io/managed-by":{},"f:kubernetes.io/service-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de06-7c5a-8e78-10c51057c8de\"}":{}}},"f:ports":{}}}]},"addressType":"IPv4","endpoints":[],"ports":[]}'),
	(37, '2026-11-22 14:49:33.466038+00', 26, '01a203bb-de19-753c-b7e2-c4e4354b2499', 'c', 'endpoints', 'shop', 'web', 'endpointslice-controller', '{"kind":"Endpoints","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-de19-753c-b7e2-c4e4354b2499","creationTimestamp":"2026-11-22T14:49:33Z","labels":{"endpoints.kubernetes.io/managed-by":"endpoint-controller"},"annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-22T14:49:33Z"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:endpoints.kubernetes.io/last-change-trigger-time":{}},"f:labels":{".":{},"f:endpoints.kubernetes.io/managed-by":{}}}}}]}}'),
	(40, '2026-11-22 14:49:33.477864+00', 0, '01a203bb-de25-761d-a573-776f1f53d5a6', 'c', 'configmaps', 'shop', 'settings', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"settings","namespace":"shop","uid":"01a203bb-de25-761d-a573-776f1f53d5a6","creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"data\":{\"colour\":\"blue\"},\"kind\":\"ConfigMap\",\"metadata\":{\"annotations\":{},\"name\":\"settings\",\"namespace\":\"shop\"}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:colour":{}},"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}]},"data":{"colour":"blue"}}'),
	(56, '2026-11-22 14:49:33.52252+00', 52, '01a203bb-de42-79f3-85e6-ad63edd0638a', 'u', 'jobs.batch', 'default', 'tally', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"tally","namespace":"default","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"tally\",\"namespace\":\"default\"},\"spec\":{\"completions\":2,\"parallelism\":1,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:active":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":2,"backoffLimit":6,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","active":1,"terminating":0,"uncountedTerminatedPods":{},"ready":0}}'),
	(76, '2026-11-22 14:49:33.604789+00', 61, '01a203bb-de9c-7eb8-80fb-62a38c95ebef', 'c', 'events', 'default', 'tally-kqd6s.18ea657966e7c5c5', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally-kqd6s.18ea657966e7c5c5","namespace":"default","uid":"01a203bb-de9c-7eb8-80fb-62a38c95ebef","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"tally-kqd6s","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","apiVersion":"v1","resourceVersion":"61","fieldPath":"spec.containers{c}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(39, '2026-11-22 14:49:33.473631+00', 38, '01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 'u', 'deployments.apps', 'shop', 'web', 'deployment-controller', '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"deployment.kubernetes.io/revision":"1","kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"annotations\":{},\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"image\":\"nginx\",\"name\":\"web\",\"resources\":{\"requests\":{\"cpu\":\"100m\"}}}]}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}},"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Available\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Progressing\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{},"f:replicas":{},"f:terminatingReplicas":{},"f:unavailableReplicas":{},"f:updatedReplicas":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600},"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"unavailableReplicas":2,"terminatingReplicas":0,"conditions":[{"type":"Available","status":"False","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"MinimumReplicasUnavailable","message":"Deployment does not have minimum availability."},{"type":"Progressing","status":"True","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"ReplicaSetUpdated","message":"ReplicaSet \"web-7b4759b96c\" is progressing."}]}}'),
	(44, '2026-11-22 14:49:33.482633+00', 32, '01a203bb-de27-7afc-8c4e-e789039086a3', 'c', 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961feb0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b.18ea657961feb0fd","namespace":"shop","uid":"01a203bb-de27-7afc-8c4e-e789039086a3","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","apiVersion":"v1","resourceVersion":"32","fieldPath":"spec.containers{web}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(45, '2026-11-22 14:49:33.482633+00', 32, '01a203bb-de27-7b4b-a17f-7d36d36d3aa6', 'c', 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961ffb0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b.18ea657961ffb0fd","namespace":"shop","uid":"01a203bb-de27-7b4b-a17f-7d36d36d3aa6","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","apiVersion":"v1","resourceVersion":"32","fieldPath":"spec.containers{web}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(49, '2026-11-22 14:49:33.482633+00', 33, '01a203bb-de27-7d9d-a2ca-aa995f13bcb1', 'c', 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796202b0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7.18ea65796202b0fd","namespace":"shop","uid":"01a203bb-de27-7d9d-a2ca-aa995f13bcb1","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","apiVersion":"v1","resourceVersion":"33","fieldPath":"spec.containers{web}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(41, '2026-11-22 14:49:33.482633+00', 32, '01a203bb-de03-7370-8ad3-314c8685c30e', 'u', 'pods', 'shop', 'web-7b4759b96c-6785b', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:allocatedResources":{".":{},"f:cpu":{}},"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.1\"}":{".":{},"f:ip":{}}},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-p9lbd","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-p9lbd","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"ContainersReady","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.1","podIPs":[{"ip":"10.128.0.1"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"web","state":{"running":{"startedAt":"2026-11-22T14:49:33Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"docker.io/library/nginx:latest","imageID":"docker.io/library/nginx@sha256:86cee2c10898a48ff47a0626f8202a2408b5893aff5df58ae10d83166e6d7b0e","containerID":"containerd://dfe41b2f513171c861391e0020fa80e3e22760e341f18c0a6ad59dce3824ba50","started":true,"allocatedResources":{"cpu":"100m"},"resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-p9lbd","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"Burstable","allocatedResources":{"cpu":"100m"},"resources":{"requests":{"cpu":"100m"}}}}'),
	(42, '2026-11-22 14:49:33.482633+00', 32, '01a203bb-de27-79f3-883c-cdc949fdd6a4', 'c', 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961fcb0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b.18ea657961fcb0fd","namespace":"shop","uid":"01a203bb-de27-79f3-883c-cdc949fdd6a4","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","apiVersion":"v1","resourceVersion":"32","fieldPath":"spec.containers{web}"},"reason":"Pulling","message":"Pulling image \"nginx\"","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(43, '2026-11-22 14:49:33.482633+00', 32, '01a203bb-de27-7aa7-84e9-ec6d8742b69c', 'c', 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961fdb0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-6785b.18ea657961fdb0fd","namespace":"shop","uid":"01a203bb-de27-7aa7-84e9-ec6d8742b69c","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e","apiVersion":"v1","resourceVersion":"32","fieldPath":"spec.containers{web}"},"reason":"Pulled","message":"Successfully pulled image \"nginx\" in 0s (0s including waiting). Image size: 48857232 bytes.","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}');
INSERT INTO public.log VALUES
	(46, '2026-11-22 14:49:33.482633+00', 33, '01a203bb-de08-7a2b-a1c8-1d84b17cd0cc', 'u', 'pods', 'shop', 'web-7b4759b96c-kx8w7', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7","generateName":"web-7b4759b96c-","namespace":"shop","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7b4759b96c","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf7-78ea-ad20-fd1a167259ce\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:allocatedResources":{".":{},"f:cpu":{}},"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.2\"}":{".":{},"f:ip":{}}},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-xdz7k","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-xdz7k","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-2","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"ContainersReady","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.23.121.245","hostIPs":[{"ip":"172.23.121.245"}],"podIP":"10.128.0.2","podIPs":[{"ip":"10.128.0.2"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"web","state":{"running":{"startedAt":"2026-11-22T14:49:33Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"docker.io/library/nginx:latest","imageID":"docker.io/library/nginx@sha256:86cee2c10898a48ff47a0626f8202a2408b5893aff5df58ae10d83166e6d7b0e","containerID":"containerd://52a42824682f3b21573786177c057c2f4553912147e1c5368ae332dbe007afd4","started":true,"allocatedResources":{"cpu":"100m"},"resources":{"requests":{"cpu":"100m"}},"volumeMounts":[{"name":"kube-api-access-xdz7k","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"Burstable","allocatedResources":{"cpu":"100m"},"resources":{"requests":{"cpu":"100m"}}}}'),
	(47, '2026-11-22 14:49:33.482633+00', 33, '01a203bb-de27-7d2b-91df-57959006ed27', 'c', 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796200b0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7.18ea65796200b0fd","namespace":"shop","uid":"01a203bb-de27-7d2b-91df-57959006ed27","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","apiVersion":"v1","resourceVersion":"33","fieldPath":"spec.containers{web}"},"reason":"Pulling","message":"Pulling image \"nginx\"","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(48, '2026-11-22 14:49:33.482633+00', 33, '01a203bb-de27-7d6a-adc4-99467736b8f9', 'c', 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796201b0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7.18ea65796201b0fd","namespace":"shop","uid":"01a203bb-de27-7d6a-adc4-99467736b8f9","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","apiVersion":"v1","resourceVersion":"33","fieldPath":"spec.containers{web}"},"reason":"Pulled","message":"Successfully pulled image \"nginx\" in 0s (0s including waiting). Image size: 48857232 bytes.","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(50, '2026-11-22 14:49:33.482633+00', 33, '01a203bb-de27-7de9-8956-4b8a9a04df52', 'c', 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796203b0fd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"web-7b4759b96c-kx8w7.18ea65796203b0fd","namespace":"shop","uid":"01a203bb-de27-7de9-8956-4b8a9a04df52","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc","apiVersion":"v1","resourceVersion":"33","fieldPath":"spec.containers{web}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(59, '2026-11-22 14:49:33.532425+00', 0, '01a203bb-de4f-739a-85a6-84924c41711c', 'c', 'pods', 'default', 'writer', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"writer","namespace":"default","uid":"01a203bb-de4f-739a-85a6-84924c41711c","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"annotations\":{},\"name\":\"writer\",\"namespace\":\"default\"},\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo kept \\u003e /data/file; sleep 100000\"],\"image\":\"busybox\",\"name\":\"c\",\"volumeMounts\":[{\"mountPath\":\"/data\",\"name\":\"d\"}]}],\"volumes\":[{\"hostPath\":{\"path\":\"/srv/data\",\"type\":\"DirectoryOrCreate\"},\"name\":\"d\"}]}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/data\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"d\"}":{".":{},"f:hostPath":{".":{},"f:path":{},"f:type":{}},"f:name":{}}}}}}]},"spec":{"volumes":[{"name":"d","hostPath":{"path":"/srv/data","type":"DirectoryOrCreate"}},{"name":"kube-api-access-7zl8m","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo kept \u003e /data/file; sleep 100000"],"resources":{},"volumeMounts":[{"name":"d","mountPath":"/data"},{"name":"kube-api-access-7zl8m","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"BestEffort"}}'),
	(52, '2026-11-22 14:49:33.50765+00', 0, '01a203bb-de42-79f3-85e6-ad63edd0638a', 'c', 'jobs.batch', 'default', 'tally', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"tally","namespace":"default","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"tally\",\"namespace\":\"default\"},\"spec\":{\"completions\":2,\"parallelism\":1,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":2,"backoffLimit":6,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{}}'),
	(53, '2026-11-22 14:49:33.514936+00', 0, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'c', 'jobs.batch', 'default', 'fails', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{}}'),
	(55, '2026-11-22 14:49:33.521444+00', 46, '01a203bb-ddf7-78ea-ad20-fd1a167259ce', 'u', 'replicasets.apps', 'shop', 'web-7b4759b96c', 'replicaset-controller', '{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-7b4759b96c","namespace":"shop","uid":"01a203bb-ddf7-78ea-ad20-fd1a167259ce","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"app":"web","pod-template-hash":"7b4759b96c"},"annotations":{"deployment.kubernetes.io/desired-replicas":"2","deployment.kubernetes.io/max-replicas":"3","deployment.kubernetes.io/revision":"1"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/desired-replicas":{},"f:deployment.kubernetes.io/max-replicas":{},"f:deployment.kubernetes.io/revision":{}},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-ddf0-755a-98a3-c24b9d4c31c1\"}":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:availableReplicas":{},"f:fullyLabeledReplicas":{},"f:observedGeneration":{},"f:readyReplicas":{},"f:replicas":{},"f:terminatingReplicas":{}}},"subresource":"status"}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web","pod-template-hash":"7b4759b96c"}},"template":{"metadata":{"labels":{"app":"web","pod-template-hash":"7b4759b96c"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}},"status":{"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":2,"availableReplicas":2,"terminatingReplicas":0,"observedGeneration":1}}'),
	(57, '2026-11-22 14:49:33.52252+00', 52, '01a203bb-de4c-7181-ae09-6419e12f62cd', 'c', 'pods', 'default', 'tally-kqd6s', 'job-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"tally-kqd6s","generateName":"tally-","namespace":"default","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"tally","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de42-79f3-85e6-ad63edd0638a\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-2chx4","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"volumeMounts":[{"name":"kube-api-access-2chx4","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"BestEffort"}}'),
	(58, '2026-11-22 14:49:33.52252+00', 52, '01a203bb-de4c-736c-9ee2-026e16011218', 'c', 'events', 'default', 'tally.18ea6579647fd96d', 'job-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally.18ea6579647fd96d","namespace":"default","uid":"01a203bb-de4c-736c-9ee2-026e16011218","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Job","namespace":"default","name":"tally","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","apiVersion":"batch/v1","resourceVersion":"52"},"reason":"SuccessfulCreate","message":"Created pod: tally-kqd6s","source":{"component":"job-controller"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"job-controller","reportingInstance":""}'),
	(63, '2026-11-22 14:49:33.542802+00', 53, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:active":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","active":1,"terminating":0,"uncountedTerminatedPods":{},"ready":0}}'),
	(72, '2026-11-22 14:49:33.599847+00', 46, '01a203bb-de19-753c-b7e2-c4e4354b2499', 'u', 'endpoints', 'shop', 'web', 'endpointslice-controller', '{"kind":"Endpoints","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-de19-753c-b7e2-c4e4354b2499","creationTimestamp":"2026-11-22T14:49:33Z","labels":{"endpoints.kubernetes.io/managed-by":"endpoint-controller"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:endpoints.kubernetes.io/managed-by":{}}},"f:subsets":{}}}]},"subsets":[{"addresses":[{"ip":"10.128.0.1","nodeName":"node-1","targetRef":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e"}},{"ip":"10.128.0.2","nodeName":"node-2","targetRef":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc"}}],"ports":[{"port":80,"protocol":"TCP"}]}]}'),
	(60, '2026-11-22 14:49:33.537007+00', 55, '01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 'u', 'deployments.apps', 'shop', 'web', 'deployment-controller', '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop","uid":"01a203bb-ddf0-755a-98a3-c24b9d4c31c1","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"deployment.kubernetes.io/revision":"1","kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"annotations\":{},\"name\":\"web\",\"namespace\":\"shop\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"image\":\"nginx\",\"name\":\"web\",\"resources\":{\"requests\":{\"cpu\":\"100m\"}}}]}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}},"f:status":{"f:availableReplicas":{},"f:conditions":{".":{},"k:{\"type\":\"Available\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Progressing\"}":{".":{},"f:lastTransitionTime":{},"f:lastUpdateTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{},"f:readyReplicas":{},"f:replicas":{},"f:terminatingReplicas":{},"f:updatedReplicas":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"apps/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},"f:cpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx","resources":{"requests":{"cpu":"100m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600},"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2,"terminatingReplicas":0,"conditions":[{"type":"Available","status":"True","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"MinimumReplicasAvailable","message":"Deployment has minimum availability."},{"type":"Progressing","status":"True","lastUpdateTime":"2026-11-22T14:49:33Z","lastTransitionTime":"2026-11-22T14:49:33Z","reason":"NewReplicaSetAvailable","message":"ReplicaSet \"web-7b4759b96c\" has successfully progressed."}]}}'),
	(61, '2026-11-22 14:49:33.541607+00', 57, '01a203bb-de4c-7181-ae09-6419e12f62cd', 'u', 'pods', 'default', 'tally-kqd6s', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"tally-kqd6s","generateName":"tally-","namespace":"default","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"tally","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de42-79f3-85e6-ad63edd0638a\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-2chx4","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"volumeMounts":[{"name":"kube-api-access-2chx4","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"qosClass":"BestEffort"}}'),
	(62, '2026-11-22 14:49:33.541607+00', 57, '01a203bb-de5d-7b56-ae58-b541d0bf73c9', 'c', 'events', 'default', 'tally-kqd6s.18ea657965c1b7dd', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally-kqd6s.18ea657965c1b7dd","namespace":"default","uid":"01a203bb-de5d-7b56-ae58-b541d0bf73c9","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"tally-kqd6s","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","apiVersion":"v1","resourceVersion":"57"},"reason":"Scheduled","message":"Successfully assigned default/tally-kqd6s to node-1","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(67, '2026-11-22 14:49:33.560817+00', 59, '01a203bb-de4f-739a-85a6-84924c41711c', 'u', 'pods', 'default', 'writer', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"writer","namespace":"default","uid":"01a203bb-de4f-739a-85a6-84924c41711c","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"annotations\":{},\"name\":\"writer\",\"namespace\":\"default\"},\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo kept \\u003e /data/file; sleep 100000\"],\"image\":\"busybox\",\"name\":\"c\",\"volumeMounts\":[{\"mountPath\":\"/data\",\"name\":\"d\"}]}],\"volumes\":[{\"hostPath\":{\"path\":\"/srv/data\",\"type\":\"DirectoryOrCreate\"},\"name\":\"d\"}]}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/data\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"d\"}":{".":{},"f:hostPath":{".":{},"f:path":{},"f:type":{}},"f:name":{}}}}}}]},"spec":{"volumes":[{"name":"d","hostPath":{"path":"/srv/data","type":"DirectoryOrCreate"}},{"name":"kube-api-access-7zl8m","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo kept \u003e /data/file; sleep 100000"],"resources":{},"volumeMounts":[{"name":"d","mountPath":"/data"},{"name":"kube-api-access-7zl8m","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-2","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"qosClass":"BestEffort"}}'),
	(64, '2026-11-22 14:49:33.542802+00', 53, '01a203bb-de5f-74ef-ad68-d22c8db2a462', 'c', 'pods', 'default', 'fails-s79c8', 'job-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-s79c8","generateName":"fails-","namespace":"default","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-q8qgl","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"BestEffort"}}'),
	(65, '2026-11-22 14:49:33.542802+00', 53, '01a203bb-de5f-77dc-a087-27f3fa60e759', 'c', 'events', 'default', 'fails.18ea657965d58a15', 'job-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails.18ea657965d58a15","namespace":"default","uid":"01a203bb-de5f-77dc-a087-27f3fa60e759","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Job","namespace":"default","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","apiVersion":"batch/v1","resourceVersion":"53"},"reason":"SuccessfulCreate","message":"Created pod: fails-s79c8","source":{"component":"job-controller"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"job-controller","reportingInstance":""}'),
	(66, '2026-11-22 14:49:33.550937+00', 0, '01a203bb-de6a-7e3a-aa7c-1a60a10a1d43', 'c', 'cronjobs.batch', 'default', 'nightly', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"nightly","namespace":"default","uid":"01a203bb-de6a-7e3a-aa7c-1a60a10a1d43","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\",\"metadata\":{\"annotations\":{},\"name\":\"nightly\",\"namespace\":\"default\"},\"spec\":{\"jobTemplate\":{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"exit 0\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}},\"schedule\":\"0 3 * * *\"}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:concurrencyPolicy":{},"f:failedJobsHistoryLimit":{},"f:jobTemplate":{"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}},"f:schedule":{},"f:successfulJobsHistoryLimit":{},"f:suspend":{}}}}]},"spec":{"schedule":"0 3 * * *","concurrencyPolicy":"Allow","suspend":false,"jobTemplate":{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","exit 0"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}}}},"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1},"status":{}}'),
	(71, '2026-11-22 14:49:33.599847+00', 46, '01a203bb-de19-7079-8f5d-d90bd0882575', 'u', 'endpointslices.discovery.k8s.io', 'shop', 'web-bfgwp', 'endpointslice-controller', '{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"name":"web-bfgwp","generateName":"web-","namespace":"shop","uid":"01a203bb-de19-7079-8f5d-d90bd0882575","generation":2,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io","kubernetes.io/service-name":"web"},"ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"01a203bb-de06-7c5a-8e78-10c51057c8de","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"discovery.k8s.io/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:addressType":{},"f:endpoints":{},"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:endpointslice.kubernetes.io/managed-by":{},"f:kubernetes.io/service-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de06-7c5a-8e78-10c51057c8de\"}":{}}},"f:ports":{}}}]},"addressType":"IPv4","endpoints":[{"addresses":["10.128.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false},"targetRef":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-6785b","uid":"01a203bb-de03-7370-8ad3-314c8685c30e"},"nodeName":"node-1"},{"addresses":["10.128.0.2"],"conditions":{"ready":true,"serving":true,"terminating":false},"targetRef":{"kind":"Pod","namespace":"shop","name":"web-7b4759b96c-kx8w7","uid":"01a203bb-de08-7a2b-a1c8-1d84b17cd0cc"},"nodeName":"node-2"}],"ports":[{"name":"","protocol":"TCP","port":80}]}'),
	(68, '2026-11-22 14:49:33.560817+00', 64, '01a203bb-de5f-74ef-ad68-d22c8db2a462', 'u', 'pods', 'default', 'fails-s79c8', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-s79c8","generateName":"fails-","namespace":"default","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-q8qgl","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"qosClass":"BestEffort"}}'),
	(69, '2026-11-22 14:49:33.560817+00', 59, '01a203bb-de73-765a-a1e0-453e18902baa', 'c', 'events', 'default', 'writer.18ea657966e3c5c5', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"writer.18ea657966e3c5c5","namespace":"default","uid":"01a203bb-de73-765a-a1e0-453e18902baa","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"writer","uid":"01a203bb-de4f-739a-85a6-84924c41711c","apiVersion":"v1","resourceVersion":"59"},"reason":"Scheduled","message":"Successfully assigned default/writer to node-2","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(70, '2026-11-22 14:49:33.560817+00', 64, '01a203bb-de73-7744-a860-4d714b0eaf91', 'c', 'events', 'default', 'fails-s79c8.18ea657966e4c5c5', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-s79c8.18ea657966e4c5c5","namespace":"default","uid":"01a203bb-de73-7744-a860-4d714b0eaf91","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-s79c8","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","apiVersion":"v1","resourceVersion":"64"},"reason":"Scheduled","message":"Successfully assigned default/fails-s79c8 to node-1","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(81, '2026-11-22 14:49:33.628438+00', 67, '01a203bb-deb2-769e-92fa-b66f71e120f1', 'c', 'events', 'default', 'writer.18ea65796a6f86ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"writer.18ea65796a6f86ad","namespace":"default","uid":"01a203bb-deb2-769e-92fa-b66f71e120f1","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"writer","uid":"01a203bb-de4f-739a-85a6-84924c41711c","apiVersion":"v1","resourceVersion":"67","fieldPath":"spec.containers{c}"},"reason":"Pulled","message":"Successfully pulled image \"busybox\" in 0s (0s including waiting). Image size: 14874896 bytes.","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(82, '2026-11-22 14:49:33.628438+00', 67, '01a203bb-deb2-76ff-a95f-b16ccbfca975', 'c', 'events', 'default', 'writer.18ea65796a7086ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"writer.18ea65796a7086ad","namespace":"default","uid":"01a203bb-deb2-76ff-a95f-b16ccbfca975","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"writer","uid":"01a203bb-de4f-739a-85a6-84924c41711c","apiVersion":"v1","resourceVersion":"67","fieldPath":"spec.containers{c}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(73, '2026-11-22 14:49:33.604789+00', 61, '01a203bb-de4c-7181-ae09-6419e12f62cd', 'u', 'pods', 'default', 'tally-kqd6s', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"tally-kqd6s","generateName":"tally-","namespace":"default","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"tally","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de42-79f3-85e6-ad63edd0638a\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.3\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-2chx4","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"volumeMounts":[{"name":"kube-api-access-2chx4","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"ContainersReady","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.3","podIPs":[{"ip":"10.128.0.3"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"c","state":{"running":{"startedAt":"2026-11-22T14:49:33Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://9de5e0cf5ce6b3c702b5dddcaf205e279503cdeb7ca045478a7bb413b7368b62","started":true,"resources":{},"volumeMounts":[{"name":"kube-api-access-2chx4","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}'),
	(74, '2026-11-22 14:49:33.604789+00', 61, '01a203bb-de9c-7d8f-8704-0e493b4a7cf6', 'c', 'events', 'default', 'tally-kqd6s.18ea657966e5c5c5', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally-kqd6s.18ea657966e5c5c5","namespace":"default","uid":"01a203bb-de9c-7d8f-8704-0e493b4a7cf6","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"tally-kqd6s","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","apiVersion":"v1","resourceVersion":"61","fieldPath":"spec.containers{c}"},"reason":"Pulling","message":"Pulling image \"busybox\"","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(75, '2026-11-22 14:49:33.604789+00', 61, '01a203bb-de9c-7e6b-ae63-d489995a27ea', 'c', 'events', 'default', 'tally-kqd6s.18ea657966e6c5c5', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally-kqd6s.18ea657966e6c5c5","namespace":"default","uid":"01a203bb-de9c-7e6b-ae63-d489995a27ea","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"tally-kqd6s","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","apiVersion":"v1","resourceVersion":"61","fieldPath":"spec.containers{c}"},"reason":"Pulled","message":"Successfully pulled image \"busybox\" in 0s (0s including waiting). Image size: 14874896 bytes.","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(77, '2026-11-22 14:49:33.604789+00', 61, '01a203bb-de9c-7efc-bacd-344d76cbbda3', 'c', 'events', 'default', 'tally-kqd6s.18ea657966e8c5c5', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"tally-kqd6s.18ea657966e8c5c5","namespace":"default","uid":"01a203bb-de9c-7efc-bacd-344d76cbbda3","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"tally-kqd6s","uid":"01a203bb-de4c-7181-ae09-6419e12f62cd","apiVersion":"v1","resourceVersion":"61","fieldPath":"spec.containers{c}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(79, '2026-11-22 14:49:33.628438+00', 67, '01a203bb-de4f-739a-85a6-84924c41711c', 'u', 'pods', 'default', 'writer', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"writer","namespace":"default","uid":"01a203bb-de4f-739a-85a6-84924c41711c","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"annotations\":{},\"name\":\"writer\",\"namespace\":\"default\"},\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo kept \\u003e /data/file; sleep 100000\"],\"image\":\"busybox\",\"name\":\"c\",\"volumeMounts\":[{\"mountPath\":\"/data\",\"name\":\"d\"}]}],\"volumes\":[{\"hostPath\":{\"path\":\"/srv/data\",\"type\":\"DirectoryOrCreate\"},\"name\":\"d\"}]}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/data\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"d\"}":{".":{},"f:hostPath":{".":{},"f:path":{},"f:type":{}},"f:name":{}}}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.4\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"d","hostPath":{"path":"/srv/data","type":"DirectoryOrCreate"}},{"name":"kube-api-access-7zl8m","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo kept \u003e /data/file; sleep 100000"],"resources":{},"volumeMounts":[{"name":"d","mountPath":"/data"},{"name":"kube-api-access-7zl8m","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-2","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"ContainersReady","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.23.121.245","hostIPs":[{"ip":"172.23.121.245"}],"podIP":"10.128.0.4","podIPs":[{"ip":"10.128.0.4"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"c","state":{"running":{"startedAt":"2026-11-22T14:49:33Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://ae0848e9e896b84f0bf92664e07ae9817557d4c6a3e842a032de8e6bb796fee0","started":true,"resources":{},"volumeMounts":[{"name":"d","mountPath":"/data"},{"name":"kube-api-access-7zl8m","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}'),
	(80, '2026-11-22 14:49:33.628438+00', 67, '01a203bb-deb2-75e7-ba16-39c3a4b19941', 'c', 'events', 'default', 'writer.18ea65796a6e86ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"writer.18ea65796a6e86ad","namespace":"default","uid":"01a203bb-deb2-75e7-ba16-39c3a4b19941","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"writer","uid":"01a203bb-de4f-739a-85a6-84924c41711c","apiVersion":"v1","resourceVersion":"67","fieldPath":"spec.containers{c}"},"reason":"Pulling","message":"Pulling image \"busybox\"","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(78, '2026-11-22 14:49:33.613879+00', 73, '01a203bb-de42-79f3-85e6-ad63edd0638a', 'u', 'jobs.batch', 'default', 'tally', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"tally","namespace":"default","uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"tally\",\"namespace\":\"default\"},\"spec\":{\"completions\":2,\"parallelism\":1,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:active":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":2,"backoffLimit":6,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","batch.kubernetes.io/job-name":"tally","controller-uid":"01a203bb-de42-79f3-85e6-ad63edd0638a","job-name":"tally"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo $i; sleep 1; done"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","active":1,"terminating":0,"uncountedTerminatedPods":{},"ready":1}}'),
	(89, '2026-11-22 14:49:33.635539+00', 84, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{".":{},"f:failed":{".":{},"v:\"01a203bb-de5f-74ef-ad68-d22c8db2a462\"":{}}}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","terminating":0,"uncountedTerminatedPods":{"failed":["01a203bb-de5f-74ef-ad68-d22c8db2a462"]},"ready":0}}'),
	(109, '2026-11-22 14:49:43+00', 104, '01a203bb-f17a-7516-afd0-60cc1138d8e9', 'c', 'events', 'default', 'fails-t2jgx.18ea657b9a0a0cbd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-t2jgx.18ea657b9a0a0cbd","namespace":"default","uid":"01a203bb-f17a-7516-afd0-60cc1138d8e9","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-t2jgx","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","apiVersion":"v1","resourceVersion":"104","fieldPath":"spec.containers{c}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(83, '2026-11-22 14:49:33.628438+00', 67, '01a203bb-deb2-773f-bdc2-130d2217c33f', 'c', 'events', 'default', 'writer.18ea65796a7186ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"writer.18ea65796a7186ad","namespace":"default","uid":"01a203bb-deb2-773f-bdc2-130d2217c33f","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"writer","uid":"01a203bb-de4f-739a-85a6-84924c41711c","apiVersion":"v1","resourceVersion":"67","fieldPath":"spec.containers{c}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-2"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-2"}'),
	(84, '2026-11-22 14:49:33.628438+00', 68, '01a203bb-de5f-74ef-ad68-d22c8db2a462', 'u', 'pods', 'default', 'fails-s79c8', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-s79c8","generateName":"fails-","namespace":"default","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.5\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-q8qgl","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Failed","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z","reason":"PodFailed"},{"type":"ContainersReady","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z","reason":"PodFailed"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.5","podIPs":[{"ip":"10.128.0.5"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":3,"reason":"Error","startedAt":"2026-11-22T14:49:33Z","finishedAt":"2026-11-22T14:49:33Z","containerID":"containerd://01d4b1dfc480bb893555632ca375cd55d4f1efb9969d4bfa338a57c79c3b28ab"}},"lastState":{},"ready":false,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://01d4b1dfc480bb893555632ca375cd55d4f1efb9969d4bfa338a57c79c3b28ab","started":false,"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}'),
	(85, '2026-11-22 14:49:33.628438+00', 68, '01a203bb-deb3-782d-a310-a463b7d028d1', 'c', 'events', 'default', 'fails-s79c8.18ea65796a7286ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-s79c8.18ea65796a7286ad","namespace":"default","uid":"01a203bb-deb3-782d-a310-a463b7d028d1","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-s79c8","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","apiVersion":"v1","resourceVersion":"68","fieldPath":"spec.containers{c}"},"reason":"Pulling","message":"Pulling image \"busybox\"","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(86, '2026-11-22 14:49:33.628438+00', 68, '01a203bb-deb3-793e-bb84-3e1036cc6967', 'c', 'events', 'default', 'fails-s79c8.18ea65796a7386ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-s79c8.18ea65796a7386ad","namespace":"default","uid":"01a203bb-deb3-793e-bb84-3e1036cc6967","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-s79c8","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","apiVersion":"v1","resourceVersion":"68","fieldPath":"spec.containers{c}"},"reason":"Pulled","message":"Successfully pulled image \"busybox\" in 0s (0s including waiting). Image size: 14874896 bytes.","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(87, '2026-11-22 14:49:33.628438+00', 68, '01a203bb-deb3-79c6-a94d-543fd5dc226a', 'c', 'events', 'default', 'fails-s79c8.18ea65796a7486ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-s79c8.18ea65796a7486ad","namespace":"default","uid":"01a203bb-deb3-79c6-a94d-543fd5dc226a","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-s79c8","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","apiVersion":"v1","resourceVersion":"68","fieldPath":"spec.containers{c}"},"reason":"Created","message":"Container created","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(88, '2026-11-22 14:49:33.628438+00', 68, '01a203bb-deb3-7aa6-8502-9742ab47c5d3', 'c', 'events', 'default', 'fails-s79c8.18ea65796a7586ad', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-s79c8.18ea65796a7586ad","namespace":"default","uid":"01a203bb-deb3-7aa6-8502-9742ab47c5d3","creationTimestamp":"2026-11-22T14:49:33Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-s79c8","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","apiVersion":"v1","resourceVersion":"68","fieldPath":"spec.containers{c}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:33Z","lastTimestamp":"2026-11-22T14:49:33Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(92, '2026-11-22 14:49:37.746937+00', 0, '01a203bb-eed1-79fa-bde2-5dfb50bac0ff', 'c', 'faults.rowlock.io', '', 'conflicts', 'Go-http-client/1.1', '{"kind":"Fault","apiVersion":"rowlock.io/v1","metadata":{"name":"conflicts","uid":"01a203bb-eed1-79fa-bde2-5dfb50bac0ff","creationTimestamp":"2026-11-22T14:49:37Z","finalizers":["rowlock.io/fault"]},"spec":{"api":{"verbs":["delete"],"resources":["configmaps"],"conflict":true,"count":3}},"status":{}}'),
	(93, '2026-11-22 14:49:37.753628+00', 92, '01a203bb-eed1-79fa-bde2-5dfb50bac0ff', 'u', 'faults.rowlock.io', '', 'conflicts', 'fault-injector', '{"kind":"Fault","apiVersion":"rowlock.io/v1","metadata":{"name":"conflicts","uid":"01a203bb-eed1-79fa-bde2-5dfb50bac0ff","creationTimestamp":"2026-11-22T14:49:37Z","finalizers":["rowlock.io/fault"]},"spec":{"api":{"verbs":["delete"],"resources":["configmaps"],"conflict":true,"count":3}},"status":{"injected":true}}'),
	(94, '2026-11-22 14:49:37.753628+00', 92, '01a203bb-eed8-7d77-99f7-99a207c6f5c1', 'c', 'events', 'default', 'conflicts.18ea657a61276e15', 'fault-injector', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"conflicts.18ea657a61276e15","namespace":"default","uid":"01a203bb-eed8-7d77-99f7-99a207c6f5c1","creationTimestamp":"2026-11-22T14:49:37Z","managedFields":[{"manager":"rowlock","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:37Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Fault","name":"conflicts","uid":"01a203bb-eed1-79fa-bde2-5dfb50bac0ff","apiVersion":"rowlock.io/v1","resourceVersion":"92"},"reason":"FaultInjected","message":"Fault conflicts begins: delete configmaps: conflict","source":{"component":"fault-injector"},"firstTimestamp":"2026-11-22T14:49:37Z","lastTimestamp":"2026-11-22T14:49:37Z","count":1,"type":"Warning","eventTime":null,"reportingComponent":"fault-injector","reportingInstance":""}'),
	(95, '2026-11-22 14:49:38.076293+00', 0, '01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a', 'c', 'faults.rowlock.io', '', 'cut', 'Go-http-client/1.1', '{"kind":"Fault","apiVersion":"rowlock.io/v1","metadata":{"name":"cut","uid":"01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a","creationTimestamp":"2026-11-22T14:49:38Z","finalizers":["rowlock.io/fault"]},"spec":{"node":{"name":"node-2","state":"unreachable"},"until":"2026-11-22T15:49:38.079899Z"},"status":{}}'),
	(110, '2026-11-22 14:49:43+00', 104, '01a203bb-f17a-755f-ac07-a86e3e2b15d1', 'c', 'events', 'default', 'fails-t2jgx.18ea657b9a0b0cbd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-t2jgx.18ea657b9a0b0cbd","namespace":"default","uid":"01a203bb-f17a-755f-ac07-a86e3e2b15d1","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-t2jgx","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","apiVersion":"v1","resourceVersion":"104","fieldPath":"spec.containers{c}"},"reason":"Started","message":"Container started","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(90, '2026-11-22 14:49:33.635539+00', 84, '01a203bb-de5f-74ef-ad68-d22c8db2a462', 'u', 'pods', 'default', 'fails-s79c8', 'job-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-s79c8","generateName":"fails-","namespace":"default","uid":"01a203bb-de5f-74ef-ad68-d22c8db2a462","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.5\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-q8qgl","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Failed","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"},{"type":"Ready","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z","reason":"PodFailed"},{"type":"ContainersReady","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z","reason":"PodFailed"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:33Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.5","podIPs":[{"ip":"10.128.0.5"}],"startTime":"2026-11-22T14:49:33Z","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":3,"reason":"Error","startedAt":"2026-11-22T14:49:33Z","finishedAt":"2026-11-22T14:49:33Z","containerID":"containerd://01d4b1dfc480bb893555632ca375cd55d4f1efb9969d4bfa338a57c79c3b28ab"}},"lastState":{},"ready":false,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://01d4b1dfc480bb893555632ca375cd55d4f1efb9969d4bfa338a57c79c3b28ab","started":false,"resources":{},"volumeMounts":[{"name":"kube-api-access-q8qgl","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}'),
	(91, '2026-11-22 14:49:33.640221+00', 84, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:failed":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"},{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","failed":1,"terminating":0,"uncountedTerminatedPods":{},"ready":0}}'),
	(96, '2026-11-22 14:49:38.078856+00', 95, '01a203bb-5d6e-7161-ac52-88948936ac27', 'u', 'nodes', '', 'node-2', 'fault-injector', '{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-2","uid":"01a203bb-5d6e-7161-ac52-88948936ac27","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-2","kubernetes.io/os":"linux"},"annotations":{"emulation.rowlock.io/fault":"unreachable"},"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:beta.kubernetes.io/arch":{},"f:beta.kubernetes.io/os":{},"f:kubernetes.io/arch":{},"f:kubernetes.io/hostname":{},"f:kubernetes.io/os":{}}},"f:spec":{"f:providerID":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:addresses":{".":{},"k:{\"type\":\"Hostname\"}":{".":{},"f:address":{},"f:type":{}},"k:{\"type\":\"InternalIP\"}":{".":{},"f:address":{},"f:type":{}}},"f:allocatable":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:capacity":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:conditions":{".":{},"k:{\"type\":\"DiskPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"MemoryPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PIDPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:daemonEndpoints":{"f:kubeletEndpoint":{"f:Port":{}}},"f:nodeInfo":{"f:architecture":{},"f:bootID":{},"f:containerRuntimeVersion":{},"f:kernelVersion":{},"f:kubeletVersion":{},"f:machineID":{},"f:operatingSystem":{},"f:osImage":{},"f:systemUUID":{}}}},"subresource":"status"},{"manager":"rowlock","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:38Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:emulation.rowlock.io/fault":{}}}}}]},"spec":{"providerID":"rowlock://node-2"},"status":{"capacity":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"allocatable":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"conditions":[{"type":"MemoryPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available"},{"type":"DiskPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasNoDiskPressure","message":"kubelet has no disk pressure"},{"type":"PIDPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientPID","message":"kubelet has sufficient PID available"},{"type":"Ready","status":"True","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletReady","message":"kubelet is posting ready status"}],"addresses":[{"type":"InternalIP","address":"172.23.121.245"},{"type":"Hostname","address":"node-2"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{"machineID":"1779f59f4df251f6b81aeb08fb52a5d8","systemUUID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","bootID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","kernelVersion":"6.12.0","osImage":"Rowlock emulated node","containerRuntimeVersion":"containerd://2.2.0","kubeletVersion":"v1.36.6","kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"}}}'),
	(98, '2026-11-22 14:49:38.090165+00', 95, '01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a', 'u', 'faults.rowlock.io', '', 'cut', 'fault-injector', '{"kind":"Fault","apiVersion":"rowlock.io/v1","metadata":{"name":"cut","uid":"01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a","creationTimestamp":"2026-11-22T14:49:38Z","finalizers":["rowlock.io/fault"]},"spec":{"node":{"name":"node-2","state":"unreachable"},"until":"2026-11-22T15:49:38.079899Z"},"status":{"injected":true}}'),
	(99, '2026-11-22 14:49:38.090165+00', 95, '01a203bb-f024-7115-bf8a-1bb7f26f30a4', 'c', 'events', 'default', 'node-2.18ea657a74fc0775', 'fault-injector', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"node-2.18ea657a74fc0775","namespace":"default","uid":"01a203bb-f024-7115-bf8a-1bb7f26f30a4","creationTimestamp":"2026-11-22T14:49:38Z","managedFields":[{"manager":"rowlock","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:38Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Node","name":"node-2","uid":"01a203bb-5d6e-7161-ac52-88948936ac27","apiVersion":"v1","resourceVersion":"96"},"reason":"FaultInjected","message":"Fault cut begins: node node-2 is unreachable","source":{"component":"fault-injector"},"firstTimestamp":"2026-11-22T14:49:38Z","lastTimestamp":"2026-11-22T14:49:38Z","count":1,"type":"Warning","eventTime":null,"reportingComponent":"fault-injector","reportingInstance":""}');
INSERT INTO public.log VALUES
	(100, '2026-11-22 14:49:38.205954+00', 0, '01a203bb-f09d-7637-903a-49fc64658e8a', 'c', 'configmaps', 'default', 'later', 'kubectl/v0.0.0 (linux/amd64) kubernetes/$Format', '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"later","namespace":"default","uid":"01a203bb-f09d-7637-903a-49fc64658e8a","creationTimestamp":"2026-11-22T14:49:38Z","managedFields":[{"manager":"kubectl-create","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:38Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}}}}]},"data":{"a":"b"}}'),
	(97, '2026-11-22 14:49:38.082598+00', 96, '01a203bb-5d6e-7161-ac52-88948936ac27', 'u', 'nodes', '', 'node-2', 'node-controller', '{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-2","uid":"01a203bb-5d6e-7161-ac52-88948936ac27","creationTimestamp":"2026-11-22T14:49:00Z","labels":{"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux","kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-2","kubernetes.io/os":"linux"},"annotations":{"emulation.rowlock.io/fault":"unreachable","emulation.rowlock.io/outage":"unreachable 2026-11-22T14:49:38Z"},"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:beta.kubernetes.io/arch":{},"f:beta.kubernetes.io/os":{},"f:kubernetes.io/arch":{},"f:kubernetes.io/hostname":{},"f:kubernetes.io/os":{}}},"f:spec":{"f:providerID":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:addresses":{".":{},"k:{\"type\":\"Hostname\"}":{".":{},"f:address":{},"f:type":{}},"k:{\"type\":\"InternalIP\"}":{".":{},"f:address":{},"f:type":{}}},"f:allocatable":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:capacity":{".":{},"f:cpu":{},"f:ephemeral-storage":{},"f:memory":{},"f:pods":{}},"f:conditions":{".":{},"k:{\"type\":\"DiskPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"MemoryPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PIDPressure\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:daemonEndpoints":{"f:kubeletEndpoint":{"f:Port":{}}},"f:nodeInfo":{"f:architecture":{},"f:bootID":{},"f:containerRuntimeVersion":{},"f:kernelVersion":{},"f:kubeletVersion":{},"f:machineID":{},"f:operatingSystem":{},"f:osImage":{},"f:systemUUID":{}}}},"subresource":"status"},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:38Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{"f:emulation.rowlock.io/outage":{}}}}},{"manager":"rowlock","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:38Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:emulation.rowlock.io/fault":{}}}}}]},"spec":{"providerID":"rowlock://node-2"},"status":{"capacity":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"allocatable":{"cpu":"64","ephemeral-storage":"1Ti","memory":"256Gi","pods":"20k"},"conditions":[{"type":"MemoryPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientMemory","message":"kubelet has sufficient memory available"},{"type":"DiskPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasNoDiskPressure","message":"kubelet has no disk pressure"},{"type":"PIDPressure","status":"False","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletHasSufficientPID","message":"kubelet has sufficient PID available"},{"type":"Ready","status":"True","lastHeartbeatTime":"2026-11-22T14:49:00Z","lastTransitionTime":"2026-11-22T14:49:00Z","reason":"KubeletReady","message":"kubelet is posting ready status"}],"addresses":[{"type":"InternalIP","address":"172.23.121.245"},{"type":"Hostname","address":"node-2"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{"machineID":"1779f59f4df251f6b81aeb08fb52a5d8","systemUUID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","bootID":"1779f59f-4df2-51f6-b81a-eb08fb52a5d8","kernelVersion":"6.12.0","osImage":"Rowlock emulated node","containerRuntimeVersion":"containerd://2.2.0","kubeletVersion":"v1.36.6","kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"}}}'),
	(101, '2026-11-22 14:49:43+00', 84, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:active":{},"f:failed":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","active":1,"failed":1,"terminating":0,"uncountedTerminatedPods":{},"ready":0}}'),
	(102, '2026-11-22 14:49:43+00', 84, '01a203bb-f157-7a5c-9d15-f481f07bf42e', 'c', 'pods', 'default', 'fails-t2jgx', 'job-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-t2jgx","generateName":"fails-","namespace":"default","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","generation":1,"creationTimestamp":"2026-11-22T14:49:43Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-chjbz","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","qosClass":"BestEffort"}}'),
	(103, '2026-11-22 14:49:43+00', 84, '01a203bb-f157-7c8f-beae-f5bdffe3b6c9', 'c', 'events', 'default', 'fails.18ea657b9a060cbd', 'job-controller', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails.18ea657b9a060cbd","namespace":"default","uid":"01a203bb-f157-7c8f-beae-f5bdffe3b6c9","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Job","namespace":"default","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","apiVersion":"batch/v1","resourceVersion":"91"},"reason":"SuccessfulCreate","message":"Created pod: fails-t2jgx","source":{"component":"job-controller"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"job-controller","reportingInstance":""}'),
	(104, '2026-11-22 14:49:43+00', 102, '01a203bb-f157-7a5c-9d15-f481f07bf42e', 'u', 'pods', 'default', 'fails-t2jgx', 'default-scheduler', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-t2jgx","generateName":"fails-","namespace":"default","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","generation":1,"creationTimestamp":"2026-11-22T14:49:43Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{"name":"kube-api-access-chjbz","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"}],"qosClass":"BestEffort"}}'),
	(105, '2026-11-22 14:49:43+00', 102, '01a203bb-f167-7122-b619-01ad946772d5', 'c', 'events', 'default', 'fails-t2jgx.18ea657b9a070cbd', 'default-scheduler', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-t2jgx.18ea657b9a070cbd","namespace":"default","uid":"01a203bb-f167-7122-b619-01ad946772d5","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:source":{"f:component":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-t2jgx","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","apiVersion":"v1","resourceVersion":"102"},"reason":"Scheduled","message":"Successfully assigned default/fails-t2jgx to node-1","source":{"component":"default-scheduler"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"default-scheduler","reportingInstance":""}'),
	(106, '2026-11-22 14:49:43+00', 104, '01a203bb-f157-7a5c-9d15-f481f07bf42e', 'u', 'pods', 'default', 'fails-t2jgx', 'kubelet', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-t2jgx","generateName":"fails-","namespace":"default","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","generation":1,"creationTimestamp":"2026-11-22T14:49:43Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"finalizers":["batch.kubernetes.io/job-tracking"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"batch.kubernetes.io/job-tracking\"":{}},"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.6\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-chjbz","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Failed","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"},{"type":"Ready","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z","reason":"PodFailed"},{"type":"ContainersReady","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z","reason":"PodFailed"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.6","podIPs":[{"ip":"10.128.0.6"}],"startTime":"2026-11-22T14:49:43Z","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":3,"reason":"Error","startedAt":"2026-11-22T14:49:43Z","finishedAt":"2026-11-22T14:49:43Z","containerID":"containerd://05e8c5aa5186df3158d08909d9695c4d6fdb0849e79f67b7c5da6af76362e79d"}},"lastState":{},"ready":false,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://05e8c5aa5186df3158d08909d9695c4d6fdb0849e79f67b7c5da6af76362e79d","started":false,"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}'),
	(107, '2026-11-22 14:49:43+00', 104, '01a203bb-f17a-7403-9ef9-0f759586775c', 'c', 'events', 'default', 'fails-t2jgx.18ea657b9a080cbd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-t2jgx.18ea657b9a080cbd","namespace":"default","uid":"01a203bb-f17a-7403-9ef9-0f759586775c","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-t2jgx","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","apiVersion":"v1","resourceVersion":"104","fieldPath":"spec.containers{c}"},"reason":"Pulling","message":"Pulling image \"busybox\"","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(108, '2026-11-22 14:49:43+00', 104, '01a203bb-f17a-74b6-b243-47d30ac24368', 'c', 'events', 'default', 'fails-t2jgx.18ea657b9a090cbd', 'kubelet', '{"kind":"Event","apiVersion":"v1","metadata":{"name":"fails-t2jgx.18ea657b9a090cbd","namespace":"default","uid":"01a203bb-f17a-74b6-b243-47d30ac24368","creationTimestamp":"2026-11-22T14:49:43Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:reportingComponent":{},"f:reportingInstance":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"default","name":"fails-t2jgx","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","apiVersion":"v1","resourceVersion":"104","fieldPath":"spec.containers{c}"},"reason":"Pulled","message":"Successfully pulled image \"busybox\" in 0s (0s including waiting). Image size: 14874896 bytes.","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-22T14:49:43Z","lastTimestamp":"2026-11-22T14:49:43Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}'),
	(111, '2026-11-22 14:49:43+00', 106, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:failed":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{".":{},"f:failed":{".":{},"v:\"01a203bb-f157-7a5c-9d15-f481f07bf42e\"":{}}}}},"subresource":"status"}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","failed":1,"terminating":0,"uncountedTerminatedPods":{"failed":["01a203bb-f157-7a5c-9d15-f481f07bf42e"]},"ready":0}}'),
	(113, '2026-11-22 14:49:43+00', 106, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'u', 'jobs.batch', 'default', 'fails', 'job-controller', '{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"fails","namespace":"default","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","generation":1,"creationTimestamp":"2026-11-22T14:49:33Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"annotations\":{},\"name\":\"fails\",\"namespace\":\"default\"},\"spec\":{\"backoffLimit\":3,\"template\":{\"spec\":{\"containers\":[{\"command\":[\"sh\",\"-c\",\"echo no; exit 3\"],\"image\":\"busybox\",\"name\":\"c\"}],\"restartPolicy\":\"Never\"}}}}\n"},"managedFields":[{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:33Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:spec":{"f:backoffLimit":{},"f:completionMode":{},"f:completions":{},"f:manualSelector":{},"f:parallelism":{},"f:podReplacementPolicy":{},"f:suspend":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}}},{"manager":"kube-controller-manager","operation":"Update","apiVersion":"batch/v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:failed":{},"f:ready":{},"f:startTime":{},"f:terminating":{},"f:uncountedTerminatedPods":{}}},"subresource":"status"}]},"spec":{"parallelism":1,"completions":1,"backoffLimit":3,"selector":{"matchLabels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869"}},"manualSelector":false,"template":{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"}},"spec":{"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"}},"completionMode":"NonIndexed","suspend":false,"podReplacementPolicy":"TerminatingOrFailed"},"status":{"startTime":"2026-11-22T14:49:33Z","failed":2,"terminating":0,"uncountedTerminatedPods":{},"ready":0}}'),
	(112, '2026-11-22 14:49:43+00', 106, '01a203bb-f157-7a5c-9d15-f481f07bf42e', 'u', 'pods', 'default', 'fails-t2jgx', 'job-controller', '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"fails-t2jgx","generateName":"fails-","namespace":"default","uid":"01a203bb-f157-7a5c-9d15-f481f07bf42e","generation":1,"creationTimestamp":"2026-11-22T14:49:43Z","labels":{"batch.kubernetes.io/controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","batch.kubernetes.io/job-name":"fails","controller-uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","job-name":"fails"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"fails","uid":"01a203bb-de4a-70ca-b729-2d5d0ad4a869","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:batch.kubernetes.io/controller-uid":{},"f:batch.kubernetes.io/job-name":{},"f:controller-uid":{},"f:job-name":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"01a203bb-de4a-70ca-b729-2d5d0ad4a869\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:command":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-11-22T14:49:43Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodScheduled\"}":{"f:observedGeneration":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:observedGeneration":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.128.0.6\"}":{".":{},"f:ip":{}}},"f:resources":{},"f:startTime":{}}},"subresource":"status"}]},"spec":{"volumes":[{"name":"kube-api-access-chjbz","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"c","image":"busybox","command":["sh","-c","echo no; exit 3"],"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-1","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"observedGeneration":1,"phase":"Failed","conditions":[{"type":"PodReadyToStartContainers","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"},{"type":"Initialized","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"},{"type":"Ready","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z","reason":"PodFailed"},{"type":"ContainersReady","observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z","reason":"PodFailed"},{"type":"PodScheduled","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-11-22T14:49:43Z"}],"hostIP":"172.21.151.27","hostIPs":[{"ip":"172.21.151.27"}],"podIP":"10.128.0.6","podIPs":[{"ip":"10.128.0.6"}],"startTime":"2026-11-22T14:49:43Z","containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":3,"reason":"Error","startedAt":"2026-11-22T14:49:43Z","finishedAt":"2026-11-22T14:49:43Z","containerID":"containerd://05e8c5aa5186df3158d08909d9695c4d6fdb0849e79f67b7c5da6af76362e79d"}},"lastState":{},"ready":false,"restartCount":0,"image":"docker.io/library/busybox:latest","imageID":"docker.io/library/busybox@sha256:de68ccc327e508f44a3a150fc877a442581bb03dd53e24b418fbc425ece79d52","containerID":"containerd://05e8c5aa5186df3158d08909d9695c4d6fdb0849e79f67b7c5da6af76362e79d","started":false,"resources":{},"volumeMounts":[{"name":"kube-api-access-chjbz","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}]}],"qosClass":"BestEffort","resources":{}}}');


--
-- Data for Name: memories; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.memories VALUES
	('01a203bb-de6a-7e3a-aa7c-1a60a10a1d43', '\x7b227363686564756c65223a2235316336363261326234616331633662222c2273696e6365223a22323032362d31312d32325431343a34393a33335a227d'),
	('01a203bb-de4c-7181-ae09-6419e12f62cd', '\x027b7d01a539f0697b2273656564223a2230316132303362622d646534632d373138312d616530392d363431396531326636326364222c22686f73746e616d65223a2274616c6c792d6b71643673222c226970223a2231302e3132382e302e33222c22636f6e7461696e657273223a5b7b220d363863222c2272756e223a7b226964223a1926f40601643a2f2f39646535653063663563653662336337303262356464646361663230356532373935303363646562376361303435343738613762623431336237333638623632222c2273746172746564223a22323032362d31312d32325431343a34393a33335a222c226c6f67223a7b226c696e6573223a5b7b2274223a313739353335383937333030303036373030302c2273223a2231227d5d2c226c696d6974223a3236323134342c2273697a65223a31377d2c226c697665223a7b2273616e64626f78223a22632f31222c2276696577223a7b22726f6f74223a7b2270617468223a222f222c2274726565223a22632f31222c22696e6f223a317d2c226d6f756e7473223a5b192c08646576192f090d052f44353436343134353930373835383738397d2c3234003c2f7465726d696e6174696f6e2d6c6f67194408706f64110000372e35000c6574632f35d84e2e00003315000c0073199d1d590032150008287265736f6c762e636f6e665231000034150004ac7661722f72756e2f736563726574732f6b756265726e657465732e696f2f736572766963656163636f756e74197f6c766f6c756d652f6b7562652d6170692d6163636573732d3263687834313534312c22726f223a747275657d5d2caef5028c2f632f31227d2c22656e76223a5b22504154483d2f7573722f6c6f63616c2f7362696e3a1d10150f19190513090f3862696e222c22484f53544e414d453d364303884b554245524e455445535f504f52543d7463703a2f2f31302e39362e302e313a3434334626001c5f3434335f544350b62e00145f414444523d155b665700098a727a00245f50524f544f3d7463703647002c534552564943455f484f53545e6b00112405f04266002e1e00145f48545450530d2414484f4d453d2f655d405d2c22646972223a222f222c2270726f6265d6106e756c6c2c1505005d9d1728747275652c227265616479110d447369676e616c223a31352c226d657373616765d47d88425403147d7d7d7d5d2c4d7a1073223a7b22567e02043a7b4df3b500093362ad02546d61784279746573223a343139343330342c226e6f6409633431223a7b226d223a31363837372c46b8040430300500006c45ee05c3e42e2e323032365f31315f32325f31345f34395f33332e32303133373432323338223a322c222e2e64617461223a362c2263612e637274223a372c05af587370616365223a382c22746f6b656e223a397d7d2c2232c2870011570033150005003415570035010000330d001033333138381500160c7d2c2234a62e00a9ca2c64656661756c74227d2c2235be3c00f4b40165794a68624763694f694a756232356c4969776961326c6b496a6f69636d39336247396a61794a392e65794a68645751694f6c73696148523063484d364c79397264574a6c636d356c6447567a4c6d526c5a6d46316248517563335a6a4c6d4e7364584e305a5849756247396a59577769585377695a586877496a6f784e7a6b314d7a59794e5467774c434a70595851694f6a45334f54557a4e5467354e7a4d73496d6c7a63794936496d68306448427a4f693876613356695a584a755a58526c6379356b5a575a68645778304c6e4e325979356a6248567a644756794c6d78765932467349697769613356695a584a755a58526c637935706279493665794a755957316c63334268593255694f694a6b5a575a6864577830496977696347396b496a7037496d3568625755694f694a3059577873655331726357513263794973496e56705a434936496a4178595449774d324a694c57526c4e474d744e7a45344d5331685a5441354c5459304d546c6c4d544a6d4e6a4a6a5a434a394c434a7a5a584a3261574e6c59574e6a623356756443493665794a755957316c496a6f695a47566d5958567364434a3966537769626d4a6d393cb455344f54637a4c434a7a645749694f694a7a65584e305a57303663325679646d6c6a5a57466a59323931626e5136154c04447019e8c86e302e58577236673770774b665473346a65635a6846456a306c3947766d364c7833556d5068333949392d454f63227d2c22364d651034313437311500180c746f223a86ad030c7d2c22374dbbae560010646174612f6dda0c7d2c2238de430099120c7d2c2239de4600894a1c7d7d2c2268656c648dd734317d2c226c617374223a397d7d7d16270885f308632f31bd3c94632f31222c2262617365223a22646f636b65722e696f2f6c6962726172792f62757379626f787a460591bf96680491961500499d88a6d0053210090c223a367d5d69a646003a4809043a3705473439313938393933363535333731385126a65600261a0c30332c22686f737473223a322c222e000a083a347d5dc48a5b00447d2c2238373230373430373432323238343571018a3d00ed041a4c0a08223a35455b496718377d2c226465765d5c16610b515c127b0bf579b633023ea00bc2b2003ec10b043a3205ba7130466000793f14327d2c22706f65571a7008169c0b15cb654fb2440892d801002c2eb500256b002cae3601e9a30823204b22f00b202d6d616e6167656420454a482066696c652e5c6e3132372e302e302e315c74127e0b1c686f73745c6e3a3a2e100010206970362d151e0d0e406f706261636b5c6e666530303a3a305c741525086e65743a1700286d63617374707265666978111a003109001c616c6c6e6f64657311170032151720726f75746572735c6e26020f045c742ade0b085c6e22b64d04082c227336630f094212520a96bd04094218736561726368201afe08302e7376632e636c75737465722e25240020461200322000305c6e6e616d657365727665722022c50b44305c6e6f7074696f6e73206e646f74733a35099f1e5a09a69e030063e2c60400318db991121033333230361500162e76061832223a312c223305060034050000372e4903055b386b65726e656c223a7b22537461727466541020436c6f636b223a373712810b1853616e64626f7812890c087b224e1af810c5bc00481e670f32dc0130222c224c696d697473223a7b221aff0b64383338383630387d2c224c617374504944223a322c224c6976650909206f6164223a323232351af60b5442757379223a38383030307d5d2c2250726f636573730d8404494405e20546003115a1f552184f7574736964651e100df05641726773223a5b227368222c222d63222c22693d303b207768696c65205b202469202d6c7420333030205d3b20646f20693d242828692b3129293b206563686f2024693b20736c65657020313b20646f6e65225d2c2245ee400f19005900084377641a400f64556d61736b223a31382c22464473223a5b322c332c345d2c225216b213484b696e64223a227368656c6c222c225374617412680e384469616c656374223a22617368222c51f4050c10426567756e515b04556e4de600316556186f75726365223a5160150032142c225461696c0966007d6d3418556e6974223a31097545f8105043223a366546046e6505110856617212670a3c484f4d45223a7b2256616c7565223a22165b101c2c224578706f72740d5726b8112e2b0036c7033a3100084946532e2c0008205c74a9283ac4112e240056f5113a58003a40001e04121148150038121e122e4d00158fa28b001238122e430016b91196c8001652122e3e00165d12663e001e2a120c484f53542e9e0196b900113ebeb4002e380016a0122eb40052f200144f5054494e442e2700125d140c504154482e15002a51141639141910124e14087573722a7a14051309281661143a29010050a5f9195e1830227d2c225053658451f3042420091512b6091115145c75303033650d1a127c08111a002b0915045744150004142f227d2c22692e12002431227d7d2c224672616dcd8a894264312c22427265616b223a36362c22436f6e74696e7565223a313075ae207d5d2c224669656c64c98b246c656570222c2231225dd1eb1d4c05df04327d0d0904312cf1444c33337d7d2c2257616974223a7b22466f72223a350d2514327d2c224174ed31102c224350550d0c047d2ce92f1529182c22506172656e894beddbf53a121808046564f5fbf53b2eb000cdfa2ab514994b003d3640043ad903ee03161500d7ee88170900d2fa062dd8d5fa40556e74696c223a3130303030373730303042720204322c4a2500497d1936182c2254696d6564c9c14d8f00311acb091c4f70656e73223a5b499818322c22526566730509694d55b30033421b00003446b20245fe0031113300341500221c2c2253746465727209a4247d5d2c2253657269616c652b7452616e64223a31343438353735383233323638383232373737357d2c22730d2818312c227368617212320816161722e416146d656d6f727922f60a382c226c6f67223a3236323134347d7d'),
	('01a203bb-de4f-739a-85a6-84924c41711c', '\x027b7d01ce2df07a7b2273656564223a2230316132303362622d646534662d373339612d383561362d383439323463343137313163222c22686f73746e616d65223a22777269746572222c226970223a2231302e3132382e302e34222c22636f6e7461696e657273223a5b7b226e616d65223a2263222c2272756e223a7b226964223a1926f0b5643a2f2f61653038343865396538393662383466306266393236363465303761653938313735353764346336613365383432613033326465386536626237393666656530222c2273746172746564223a22323032362d31312d32325431343a34393a33335a222c226c6f67223a7b226c696d6974223a3236323134347d2c226c697665223a7b2273616e64626f78223a22632f31222c2276696577223a7b22726f6f74223a7b2270617468223a222f222c2274726565152844696e6f223a317d2c226d6f756e7473223a5b192c0c6461746119301c766f6c756d652f641d351d2b046576195a090d055a3c353436343134353930373835383738393a34003c2f7465726d696e6174696f6e2d6c6f67194404706f156900371500040c6574632f35c84e2e00003315000c0073199d1d590032150008287265736f6c762e636f6e665231000034150004ac7661722f72756e2f736563726574732f6b756265726e657465732e696f2f736572766963656163636f756e74197f2d46506b7562652d6170692d6163636573732d377a6c386d11f134312c22726f223a747275657d5d2caee5028c2f632f31227d2c22656e76223a5b22504154483d2f7573722f6c6f63616c2f7362696e3a1d10150f19190513090f3862696e222c22484f53544e414d453d7533884b554245524e455445535f504f52543d7463703a2f2f31302e39362e302e313a3434334626001c5f3434335f544350b62e00145f414444523d155b665700098a727a00245f50524f544f3d7463703647002c534552564943455f484f53545e6b00112405f04266002e1e00145f48545450530d2414484f4d453d2f6583685d2c22646972223a222f222c2270726f626573223a5b6e756c6c2c1505005d9d0728747275652c227265616479110d507369676e616c223a31352c226d657373616765223a764f03147d7d7d7d5d2c4d752073223a7b2264223a7b4dda95dc091f65da546d61784279746573223a343139343330342c226e6f64093b9c31223a7b226d223a31363837372c2274223a313739353335383937333030303032353030302c226c45c1059b2c66696c65223a327d7d2c22320d3d10333331383815000c00361d3d4473223a226b6570745c6e227d7d2c2268656c05b7003189aab86c617374223a327d2c22686f7374223a7b22223a22376566623263386630663932666237333761353233343839222c0d8660226531363138376161316130633262373662346461373130340563569003622b01562f00f63f01043030150008982e2e323032365f31315f32325f31345f34395f33332e32303133373432323338223a322c222e2ea5a7343a362c2263612e637274223a372cc5b6447370616365223a382c22746f6b656e223a392e89015ec60146870011570033150005003415570035010000330d005ee0011d570c7d2c22347a0e021d2e442c2273223a2264656661756c74227d2c2235a66a00093cf4e50165794a68624763694f694a756232356c4969776961326c6b496a6f69636d39336247396a61794a392e65794a68645751694f6c73696148523063484d364c79397264574a6c636d356c6447567a4c6d526c5a6d46316248517563335a6a4c6d4e7364584e305a5849756247396a59577769585377695a586877496a6f784e7a6b314d7a59794e5467774c434a70595851694f6a45334f54557a4e5467354e7a4d73496d6c7a63794936496d68306448427a4f693876613356695a584a755a58526c6379356b5a575a68645778304c6e4e325979356a6248567a644756794c6d78765932467349697769613356695a584a755a58526c637935706279493665794a755957316c63334268593255694f694a6b5a575a6864577830496977696347396b496a7037496d3568625755694f694a33636d6c305a5849694c434a31615751694f6949774d5745794d444e695969316b5a54526d4c54637a4f5745744f4456684e6930344e446b794e474d304d5463784d574d696653776963325679646d6c6a5a57466a59323931626e51694f6e7369626d46745a534936496d526c5a6d46316248516966583073496d35695a6949364d5463354e544d314f446b334d79776963335669496a6f6963336c7a644756744f6e4e6c636e5a705932566859324e76645735304f3998f03d365a47566d5958567364434a392e33696c6f66593139324b6b745945596f5f384e4c776a5a7952436845703876584a326d6b4b6a6c63785045227d2c22364d5e1034313437311500180c746f223a86a6030c7d2c2237ca560010646174612f6d7c0c7d2c2238de4300990b0c7d2c2239de46008943628e0510397d7d7d2cc558c52b08632f31dd6094632f31222c2262617365223a22646f636b65722e696f2f6c6962726172792f62757379626f78b13f150041a918859e7e7e06043030d57e0c7d2c2233a66204b6cc049dbe8a7f055d8e8a2e00ed7332860a54223a377d7d2c22363931393839393336353533373138514aa6550022710b203a332c22686f737473c57b2e2f0b083a347d5de8a65b003a280b083a387d5dec8a4700447d2c22383732303734303734323232383435716c8a3d002d341ac20b08223a3645c616600818387d2c226465765dc716d70c51c7050d221c09b661023e160dc2b2003e370d043a3205ba1e2909466000003115d814327d2c22706f1250091a0c0f16120d15cb65ba6ae7097d2c2d40921f02002c2eb500c69703e9cb0823204b22660d802d6d616e6167656420686f7374732066696c652e5c6e3132372e302e302e315c7412f40c1c686f73745c6e3a3a2e100010206970362d151e0d0e406f706261636b5c6e666530303a3a305c741525086e65743a1700286d63617374707265666978111a003109001c616c6c6e6f64657311170032151720726f75746572735c6e266d10285c747772697465725c6e22b676041614092e3d00c2510918736561726368201a5809302e7376632e636c75737465722e251a0020461200322000305c6e6e616d657365727665722022360d44305c6e6f7074696f6e73206e646f74733a3509dc1eb409a694030063658ef990a63a0000318df691081033333230361500162ed7061832223a312c223305060034050000372e3f03a551386b65726e656c223a7b22537461727466b51120436c6f636b223a3538c55f1853616e64626f7812fa0d087b224e697ee91d00481ed31031d7a8222c224c696d697473223a7b224279746573223a383338383630387d2c224c617374504944223a312c224c12021230312c224c6f6164223a313437356da35442757379223a35393030307d5d2c2250726f636573730d7f0d3e11460d9c1591184f7574736964651e7c0e4041726773223a5b22736c656570222c2231056310225d2c2245166b102aeb0eee34101500faeeb4110900145d2c224377641a6b1064556d61736b223a31382c22464473223a5b322c332c345d2c225216cd14144b696e64223a35d83c5374617465223a7b22556e74696c223a29e86c3030303035383030307d7d2c2257616974223a7b22466f72223a322c5e2a000c2c224174424000182c2254696d65645156084350555da0504f70656e73223a5b7b224944223a322c225265667345da09a508307d2c49b70033421b00003446c10249d9113300341500221c2c2253746465727209a5a47d5d2c2253657269616c223a352c2252616e64223a34333534353138373332363833313733387d2c22730d2518312c2273686172120011166811224a11146d656d6f727975c8382c226c6f67223a3236323134347d7d'),
	('01a203bb-de5f-74ef-ad68-d22c8db2a462', '\x027b7d019904f0697b2273656564223a2230316132303362622d646535662d373465662d616436382d643232633864623261343632222c22686f73746e616d65223a226661696c732d7337396338222c226970223a2231302e3132382e302e35222c22636f6e7461696e657273223a5b7b220d363863222c2272756e223a7b226964223a1926f06a643a2f2f30316434623164666334383062623839333535353633326361333735636435356434663165666239393639643462666133333861353763373963336232386162222c2273746172746564223a22323032362d31312d32325431343a34393a33335a222c226c6f67017df0496c696e6573223a5b7b2274223a313739353335383937333030303031393030302c2273223a226e6f227d5d2c226c696d6974223a3236323134342c2273697a65223a31387d2c22656e645e6d00002e014c9032395a222c2265786974436f6465223a337d7d5d2c226b65726e656c223a7b22537461727456ad001d403c436c6f636b223a302c2253657269616c050b7452616e64223a31363031353835363439323632333339343037337d2c22730d28a4312c227368617265223a7b2274726565223a343139343330342c226d656d6f7279223a383338383630382d1a1c3236323134347d7d'),
	('01a203bb-f157-7a5c-9d15-f481f07bf42e', '\x027b7d019904f0697b2273656564223a2230316132303362622d663135372d376135632d396431352d663438316630376266343265222c22686f73746e616d65223a226661696c732d74326a6778222c226970223a2231302e3132382e302e36222c22636f6e7461696e657273223a5b7b220d363863222c2272756e223a7b226964223a1926f06a643a2f2f30356538633561613531383664663331353864303839303964393639356334643666646230383439653739663637623763356461366166373633363265373964222c2273746172746564223a22323032362d31312d32325431343a34393a34335a222c226c6f67017df0496c696e6573223a5b7b2274223a313739353335383938333030303031393030302c2273223a226e6f227d5d2c226c696d6974223a3236323134342c2273697a65223a31387d2c22656e645e6d00002e014c9032395a222c2265786974436f6465223a337d7d5d2c226b65726e656c223a7b22537461727456ad001d403c436c6f636b223a302c2253657269616c050b7452616e64223a31313333373433303433333534383639393234337d2c22730d2850312c227368617265223a7b2274726565223a343139012f7c2c226d656d6f7279223a383338383630382c226c6f67223a3236323134347d7d'),
	('01a203bb-de4a-70ca-b729-2d5d0ad4a869', '\x7b226661696c75726573223a322c226c617374223a22323032362d31312d32325431343a34393a34335a227d');


--
-- Data for Name: node_files; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.node_files VALUES
	('node-2', '/srv/data', 16877, 0, 0, '\x'),
	('node-2', '/srv/data/file', 33188, 0, 0, '\x6b6570740a');


--
-- Data for Name: objects; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.objects VALUES
	('00000000-0000-0000-0000-000000000001', 0, false, 'locks.rowlock', '', 'scheduler'),
	('00000000-0000-0000-0000-000000000003', 0, false, 'locks.rowlock', '', 'housekeeping'),
	('01a203bb-5d55-741b-95ce-9b232ab4a8ff', 1, false, 'storageclasses.storage.k8s.io', '', 'standard'),
	('01a203bb-5d6c-7874-88d0-c011ca846a7d', 2, false, 'namespaces', '', 'default'),
	('01a203bb-5d6c-7ce3-b913-c16b50b5f921', 3, false, 'namespaces', '', 'kube-system'),
	('01a203bb-5d6c-7e2c-a588-335fad5487ab', 4, false, 'namespaces', '', 'kube-node-lease'),
	('01a203bb-5d6c-7d05-b26a-5eae2cec4646', 5, false, 'namespaces', '', 'kube-public'),
	('01a203bb-5d6c-7e41-89a1-ef5dd03e6837', 6, false, 'priorityclasses.scheduling.k8s.io', '', 'system-cluster-critical'),
	('01a203bb-5d6d-7091-880a-799aa666e874', 7, false, 'priorityclasses.scheduling.k8s.io', '', 'system-node-critical'),
	('01a203bb-5d6d-7121-9d0d-689c143324ac', 8, false, 'nodes', '', 'node-1'),
	('01a203bb-5d80-7140-b5ad-0e56f6b78259', 10, false, 'services', 'default', 'kubernetes'),
	('01a203bb-5dc9-7dc0-b812-e4c7d52d1b29', 11, false, 'serviceaccounts', 'default', 'default'),
	('01a203bb-5dca-72c6-84a7-5091241699bf', 12, false, 'configmaps', 'default', 'kube-root-ca.crt'),
	('01a203bb-5dca-7411-bf3b-18b170f7754d', 13, false, 'serviceaccounts', 'kube-system', 'default'),
	('01a203bb-5dca-743b-bdc4-371a14390275', 14, false, 'configmaps', 'kube-system', 'kube-root-ca.crt'),
	('01a203bb-5dca-7473-af88-175288404690', 15, false, 'serviceaccounts', 'kube-node-lease', 'default'),
	('01a203bb-5dca-74bb-b8db-2109fea26e2a', 16, false, 'configmaps', 'kube-node-lease', 'kube-root-ca.crt'),
	('01a203bb-5dca-750c-8a24-7b318fc8a4bf', 17, false, 'serviceaccounts', 'kube-public', 'default'),
	('01a203bb-5dca-7522-8e40-cb11c373645f', 18, false, 'configmaps', 'kube-public', 'kube-root-ca.crt'),
	('01a203bb-ddd9-79bf-8d68-bfaffb8cbc09', 19, false, 'namespaces', '', 'shop'),
	('01a203bb-dde2-7986-8a90-4519593e5b3f', 20, false, 'serviceaccounts', 'shop', 'default'),
	('01a203bb-dde2-7ab0-85b0-69feb1730aa3', 21, false, 'configmaps', 'shop', 'kube-root-ca.crt'),
	('01a203bb-ddf8-742d-88c1-0655d54ea9e2', 25, false, 'events', 'shop', 'web.18ea65795f9e3b15'),
	('01a203bb-de06-7c5a-8e78-10c51057c8de', 26, false, 'services', 'shop', 'web'),
	('01a203bb-de08-7d42-a00e-7544e5cca8cb', 30, false, 'events', 'shop', 'web-7b4759b96c.18ea65796048d2f5'),
	('01a203bb-de08-7df0-9a88-9f71fad8cb43', 31, false, 'events', 'shop', 'web-7b4759b96c.18ea65796049d2f5'),
	('01a203bb-de16-7466-a89a-737c2e672b7a', 34, false, 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961786d9d'),
	('01a203bb-de16-7540-a40a-6c18d1fddc15', 35, false, 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea657961796d9d'),
	('01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 60, false, 'deployments.apps', 'shop', 'web'),
	('01a203bb-5d6e-7161-ac52-88948936ac27', 97, false, 'nodes', '', 'node-2'),
	('01a203bb-de19-7079-8f5d-d90bd0882575', 71, false, 'endpointslices.discovery.k8s.io', 'shop', 'web-bfgwp'),
	('01a203bb-de25-761d-a573-776f1f53d5a6', 40, false, 'configmaps', 'shop', 'settings'),
	('01a203bb-de27-79f3-883c-cdc949fdd6a4', 42, false, 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961fcb0fd'),
	('01a203bb-de27-7aa7-84e9-ec6d8742b69c', 43, false, 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961fdb0fd'),
	('01a203bb-de27-7afc-8c4e-e789039086a3', 44, false, 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961feb0fd'),
	('01a203bb-de27-7b4b-a17f-7d36d36d3aa6', 45, false, 'events', 'shop', 'web-7b4759b96c-6785b.18ea657961ffb0fd'),
	('01a203bb-de27-7d2b-91df-57959006ed27', 47, false, 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796200b0fd'),
	('01a203bb-de27-7d6a-adc4-99467736b8f9', 48, false, 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796201b0fd'),
	('01a203bb-de27-7d9d-a2ca-aa995f13bcb1', 49, false, 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796202b0fd'),
	('01a203bb-de27-7de9-8956-4b8a9a04df52', 50, false, 'events', 'shop', 'web-7b4759b96c-kx8w7.18ea65796203b0fd'),
	('01a203bb-de03-7370-8ad3-314c8685c30e', 41, false, 'pods', 'shop', 'web-7b4759b96c-6785b'),
	('01a203bb-de08-7a2b-a1c8-1d84b17cd0cc', 46, false, 'pods', 'shop', 'web-7b4759b96c-kx8w7'),
	('01a203bb-de2d-7813-8194-e44c883d6db9', 54, false, 'resourcequotas', 'shop', 'small'),
	('01a203bb-ddf7-78ea-ad20-fd1a167259ce', 55, false, 'replicasets.apps', 'shop', 'web-7b4759b96c'),
	('01a203bb-de19-753c-b7e2-c4e4354b2499', 72, false, 'endpoints', 'shop', 'web'),
	('01a203bb-de9c-7d8f-8704-0e493b4a7cf6', 74, false, 'events', 'default', 'tally-kqd6s.18ea657966e5c5c5'),
	('01a203bb-de42-79f3-85e6-ad63edd0638a', 78, false, 'jobs.batch', 'default', 'tally'),
	('01a203bb-de4f-739a-85a6-84924c41711c', 79, false, 'pods', 'default', 'writer'),
	('01a203bb-de4a-70ca-b729-2d5d0ad4a869', 113, false, 'jobs.batch', 'default', 'fails'),
	('01a203bb-de4c-736c-9ee2-026e16011218', 58, false, 'events', 'default', 'tally.18ea6579647fd96d');
INSERT INTO public.objects VALUES
	('01a203bb-de5f-77dc-a087-27f3fa60e759', 65, false, 'events', 'default', 'fails.18ea657965d58a15'),
	('01a203bb-de4c-7181-ae09-6419e12f62cd', 73, false, 'pods', 'default', 'tally-kqd6s'),
	('01a203bb-de5f-74ef-ad68-d22c8db2a462', 90, false, 'pods', 'default', 'fails-s79c8'),
	('01a203bb-de5d-7b56-ae58-b541d0bf73c9', 62, false, 'events', 'default', 'tally-kqd6s.18ea657965c1b7dd'),
	('01a203bb-de6a-7e3a-aa7c-1a60a10a1d43', 66, false, 'cronjobs.batch', 'default', 'nightly'),
	('01a203bb-de73-765a-a1e0-453e18902baa', 69, false, 'events', 'default', 'writer.18ea657966e3c5c5'),
	('01a203bb-de73-7744-a860-4d714b0eaf91', 70, false, 'events', 'default', 'fails-s79c8.18ea657966e4c5c5'),
	('01a203bb-de9c-7e6b-ae63-d489995a27ea', 75, false, 'events', 'default', 'tally-kqd6s.18ea657966e6c5c5'),
	('01a203bb-de9c-7eb8-80fb-62a38c95ebef', 76, false, 'events', 'default', 'tally-kqd6s.18ea657966e7c5c5'),
	('01a203bb-de9c-7efc-bacd-344d76cbbda3', 77, false, 'events', 'default', 'tally-kqd6s.18ea657966e8c5c5'),
	('01a203bb-deb2-75e7-ba16-39c3a4b19941', 80, false, 'events', 'default', 'writer.18ea65796a6e86ad'),
	('01a203bb-deb2-769e-92fa-b66f71e120f1', 81, false, 'events', 'default', 'writer.18ea65796a6f86ad'),
	('01a203bb-deb2-76ff-a95f-b16ccbfca975', 82, false, 'events', 'default', 'writer.18ea65796a7086ad'),
	('01a203bb-deb2-773f-bdc2-130d2217c33f', 83, false, 'events', 'default', 'writer.18ea65796a7186ad'),
	('01a203bb-deb3-782d-a310-a463b7d028d1', 85, false, 'events', 'default', 'fails-s79c8.18ea65796a7286ad'),
	('01a203bb-deb3-793e-bb84-3e1036cc6967', 86, false, 'events', 'default', 'fails-s79c8.18ea65796a7386ad'),
	('01a203bb-deb3-79c6-a94d-543fd5dc226a', 87, false, 'events', 'default', 'fails-s79c8.18ea65796a7486ad'),
	('01a203bb-deb3-7aa6-8502-9742ab47c5d3', 88, false, 'events', 'default', 'fails-s79c8.18ea65796a7586ad'),
	('01a203bb-eed8-7d77-99f7-99a207c6f5c1', 94, false, 'events', 'default', 'conflicts.18ea657a61276e15'),
	('01a203bb-eed1-79fa-bde2-5dfb50bac0ff', 93, false, 'faults.rowlock.io', '', 'conflicts'),
	('01a203bb-f024-7115-bf8a-1bb7f26f30a4', 99, false, 'events', 'default', 'node-2.18ea657a74fc0775'),
	('01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a', 98, false, 'faults.rowlock.io', '', 'cut'),
	('01a203bb-f09d-7637-903a-49fc64658e8a', 100, false, 'configmaps', 'default', 'later'),
	('01a203bb-f157-7c8f-beae-f5bdffe3b6c9', 103, false, 'events', 'default', 'fails.18ea657b9a060cbd'),
	('01a203bb-f167-7122-b619-01ad946772d5', 105, false, 'events', 'default', 'fails-t2jgx.18ea657b9a070cbd'),
	('01a203bb-f17a-7403-9ef9-0f759586775c', 107, false, 'events', 'default', 'fails-t2jgx.18ea657b9a080cbd'),
	('01a203bb-f17a-74b6-b243-47d30ac24368', 108, false, 'events', 'default', 'fails-t2jgx.18ea657b9a090cbd'),
	('01a203bb-f17a-7516-afd0-60cc1138d8e9', 109, false, 'events', 'default', 'fails-t2jgx.18ea657b9a0a0cbd'),
	('01a203bb-f17a-755f-ac07-a86e3e2b15d1', 110, false, 'events', 'default', 'fails-t2jgx.18ea657b9a0b0cbd'),
	('01a203bb-f157-7a5c-9d15-f481f07bf42e', 112, false, 'pods', 'default', 'fails-t2jgx');


--
-- Data for Name: owners; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.owners VALUES
	('01a203bb-ddf0-755a-98a3-c24b9d4c31c1', '01a203bb-ddf7-78ea-ad20-fd1a167259ce'),
	('01a203bb-ddf7-78ea-ad20-fd1a167259ce', '01a203bb-de08-7a2b-a1c8-1d84b17cd0cc'),
	('01a203bb-ddf7-78ea-ad20-fd1a167259ce', '01a203bb-de03-7370-8ad3-314c8685c30e'),
	('01a203bb-de06-7c5a-8e78-10c51057c8de', '01a203bb-de19-7079-8f5d-d90bd0882575'),
	('01a203bb-de42-79f3-85e6-ad63edd0638a', '01a203bb-de4c-7181-ae09-6419e12f62cd'),
	('01a203bb-de4a-70ca-b729-2d5d0ad4a869', '01a203bb-de5f-74ef-ad68-d22c8db2a462'),
	('01a203bb-de4a-70ca-b729-2d5d0ad4a869', '01a203bb-f157-7a5c-9d15-f481f07bf42e');


--
-- Data for Name: quota_journal; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: quota_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.quota_usage VALUES
	('01a203bb-de2d-7813-8194-e44c883d6db9', 'pods', 8, 2, '8', 'DecimalSI'),
	('01a203bb-de2d-7813-8194-e44c883d6db9', 'requests.cpu', 2, 0.200, '2', 'DecimalSI');


--
-- Data for Name: quota_waiters; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: quotas; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.quotas VALUES
	('01a203bb-de2d-7813-8194-e44c883d6db9', 'shop', 'small', 'e1decf701c63013f', 51, false, 51);


--
-- Data for Name: reservations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.reservations VALUES
	('clusterip/10.96.0.1', '01a203bb-5d80-7140-b5ad-0e56f6b78259'),
	('clusterip/10.96.51.156', '01a203bb-de06-7c5a-8e78-10c51057c8de'),
	('nodeport/30080', '01a203bb-de06-7c5a-8e78-10c51057c8de');


--
-- Data for Name: resync; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.resync VALUES
	(true, '00000000-0000-0000-0000-000000000000', '2026-11-22 14:49:00.398417+00');


--
-- Data for Name: revision; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.revision VALUES
	(true, 113, 0, '2026-11-22 14:49:43+00');


--
-- Data for Name: selectors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.selectors VALUES
	('01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 'shop', 'deployment', '{"app": "web"}'),
	('01a203bb-ddf7-78ea-ad20-fd1a167259ce', 'shop', 'replicaset', '{"app": "web", "pod-template-hash": "7b4759b96c"}'),
	('01a203bb-de06-7c5a-8e78-10c51057c8de', 'shop', 'endpoints', '{"app": "web"}'),
	('01a203bb-de42-79f3-85e6-ad63edd0638a', 'default', 'job', '{"batch.kubernetes.io/controller-uid": "01a203bb-de42-79f3-85e6-ad63edd0638a"}'),
	('01a203bb-de4a-70ca-b729-2d5d0ad4a869', 'default', 'job', '{"batch.kubernetes.io/controller-uid": "01a203bb-de4a-70ca-b729-2d5d0ad4a869"}');


--
-- Data for Name: snapshot_pieces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot_pieces VALUES
	('f492f1dc-850c-4f63-a63f-37c82a6dd174', 0, '\x1f8b08000000000004ffecfd6973a358d2370ebfbf3e8583785edc77b4a9621728e28e7890001959208324104ccd0b364920b61268ada8effe8f046db625955d5dd5dd33973b26a62cd63ce764fe4e669e1f79be218b6c1d67de1c692245eae4c52c2b917b64922d12a7449af83d52048b55b0409ac80aff44329f18e41ef1b2b40cd2b2409a48513a6580dc238b6015166196224d8ebb47ca3009902642600483e2384a10439c6a525c93643fe104dd60701bb947bc2c49c2b20c7ca4891018c1bcbc12e3309ca16d785f2de037a4c883c0afa4ca1d2f409af8f77bc4f1fd455014418134699cf8fe3fdf902448b2c516697e4396a18f34110c77088c745dd40f18076d04a4833a4ec3437187c11c1c73709f22917ba46e4a1309b6dd9d45cc62fbc128ec81ccc8d16863ed2c4249c4ad15e9336b27456a2287bd7677e798746457d7c86b25b24a6528964ad41d29438d518539a3ec54474eb1ff877cff81609487367016479d00e35086c2b90027260ce1f96782f169c9f1ce88663b71434ed5d836b5b01fca6bc514b78aa0865688cfeda11ef586dea62f88a5658ed6fd0146a88248db43716b47d6d62234103c7349157313a9ac1a98ea33b7b3a17b66b9b1057b2787ebd019f3f0ec8dd2a6364a345d2a6daa3a6e11dcd2ef48b99b185b6f2b33265984c2d0a2acad5cc8691777439909b6dddc6ecb4c67e062ada934ef87ecaa6feab16a8ed61661e1163122ac488dd41dbfb522636e77f4c832adad2218b11279b43ae47716a1c756e447d690c7d4a146f63b22692532a60cd550dd2944bf23134a281772aa62d6b88bd9a606f26e1541267a4371d31bca5b4310b17ea4d1fd48d999a15cc8c966656f6526d8760bc7a4e383fc7e5b669421bc57c1fbc29c5476fc5a117842857fdbeb10ae9323319c18183c2377cd1893a36cab46f24615b4424ed53c4846613f12c9c9601dba9d98807ead14c9a4e756c251729485d696dd40dffa491cfbdb4a8ead4b70981ce50d396dcdfcce14dab0aaae79e8c6f00c395156ca00648f97ee56669431c880af7c93c6402e73332fda1d3df667f3555bc3a41ea6e1aa6061ca50c3fb439eec0b234add4de9c960bd55799eed917aec2578ee2612e698dcb2676e56f62616db0fad95dd12795ef096aac62bf6588f7abbb1350c299e171483e7d7bcb749fc0763ce2bb311df6ecfb6f6585db90fd6d222b8a51dcb1b9ee73149e3c5c5833df3426eeb9bd4ca238cc84b0cccdb720bdfecc65e42c77ec7d8f59278d523d5d84beddc228c9945a82bdfa4b1ce982bfc842b7c138f7b44895bc9a8b4c6adbc674a9145183b6f8b6d2d6246a98288ab8258c86977254739e6a5463c31b062b11ab5a33617f576623819ac43dba40939ca5d396eb50c71caf54863e7855ce112eacc6d733b2b8997fd19a6491a6b77b4d1b0adb19495c44b395c8703911b1a22dd1a8e469c3a5784502c0d6d6e0c867363a41bea6424720343c0318be499de96dd286d8a56436add8b444615b49d1e5afc83c462aaa04e0c51d5ca90e225896be9a23e78d20dd78e3dbe6de5db60cacfc7786b30c4f5a7a7b11e7982fdc0b73743dde89a83912a8db1d9d308d70367cdeb5d7ebcd6128befcd285e9238d990746db4c6e692387b1a8e465c8f307c4dc20a39d1732f94193964c35ebbbbf6122eb47d4b7353a370db6ba3a5b5fc54f732ffa18bdb8375e825c6cc7e98ebc248df39a6bfb4cc75d88f44bcd7ee96f658dd59a61fe30f84acc59a203de0dc648cfb3d1167c40725eca74568a454bb25e48de1a48ff3fc7c677dc5da46079f056297f63bc64e8e324c19ce3165c763bd7677e9125ad7da691b39ca1b728285fd4824fa8247f644876af1da5ae1473cdfd9488de958a0dbd45289f8ad1ab31bc560b74acc6e5489c5fa06bb53b6d45611c49dbad3b64aa45072946d7b6d79d94bf499df11c37e641572a2ce7a89baf5db32a36ed7d2029fedbc8e14817df5dbebd0ef700bdba4c27e147360bf4af1f8c0b7a4312f80de8f78b5658c7961d4e2797e2768bca6ec944d5f981a7ccb52e07af5d15af28fe963afa3c77622e1ee831656c75d8ae59f06186f1af42099853aa1e643227ef44d79ab9a9bae33f6736bd82d1c2cfeea1271e40ee73b6beed14e22d18368beb4c7f1a3d3d1c723337e721fd4dc1acd064a479587435b0986f1d696fc47b7a396aab999ebb8cd0c3bf8c095f2528fa4702049b8b5531d67be2987a93a37456a6dc6b3ae6f761ffa666e1ba49f9b924a3a466e390f7ed749386a98e60b658433e638ee1b1d9f1c8aeaa327c5d6c88c9f9cf96837c4752398d3237b67f48339be1b987811242a3d18da5dd79cae6d71d60ee65cde7fb0670a6ee7663c7bf48ddc1a259b28181a0b33f61da7a38f03a1a5b8736a6b8ee7b893746523cde73a6ed3c30e4ef9f17caba76ad719fbb935544dc7c8ad416a38a6d42d2c728e7b9d2e3d18da7130ca71d3f0366e47d969c9cc5662231f12f1a383e7633399cd0d72ba1e9831e998ea43df2cbb4eca930313c39d4e776c98f19333cad6a6e1531e610c9571373270716b9171d7c3e2a591b61c0d9b1303336f05523c1a8c7d5599e7f950f207ae483f0cc77a3f988fb0a1a16c1c291f69434331a4f97a68e8852be2a34182f79d79fed59cab8ffdd14618a4b9638ad9d632fcbe2bc5e36192870a6ee3b6a876d5c4a007a9611b3ba91898f9ca31f20723c16d53b277b6a83ef64d7be81371e88ef2b23fdc62c6507f323a2a3314d5c720d1c703337e724639631bb3be22e56345b02325b669bb83174e9c8ff524b79568beb1125a576786d212f57527886437e297a6e46fd5c423bd07bf67c7fa4eede4b185e7993e37be2a9d35ad9376a9ce3794821be5a833ddf54773ba37329eac6d97ebb56562688e3455103175271a7c6baaf81d36ec674ec9af375caf2d934377b934a6bc667724cc1a702531dd70bdb64c9173854f7459990cd661dfa73bbc1c3f3e3ce05cafddcd6c73338f7c0f53aa796e33f348adb6cb316676d7a1c4ae67516fd7e19eba7a0418df6b77436bacc630bfda1d2e720863db4be2558fd8e456da9d79e97c65a5c62e30bbabe021efb4eccee738998a73db327831f1c347576b0d65adadadc37e6473633349f429cf0cf8b9d88f3c49df69b4329c53fde17ca746235cd9799bbe2426796cf1dd59a6288252c8c96ce591fa4e8eb26daf2d2f793e93fb91ce8dbdc1a3b96e8993c13aec0bde56113c4c113c4c89e46d5fd0704feb3c3e6942d96ae54a7b3a0dfb912199589c76049febb5bb737b6cfbe3963d6be39227a6458f1b2784b296ffc8f855bb98f27facb542ec47b2b44cc5b59ef07c3064474a8a1572da5ad986e778fcd44cf9c2d812c65331d7e479396df1edf5b2d4f8d859f3c522b25a8ca3c8f2b6d593577c4f6ee3a565d2339b30e6b2683c0edaadc43137712fde2c95a14cf6227ea9b4a9cdf8411b4ca685e774b89d2f6d96fd285b8a3cafc99d78ad8698f130c5fa5a875b5b891439f8666927a3b522648c226d30693092ddc4c0fa338f7fece091355631efa11bdb494c897ac62bda9c7fe84885dba15776c7d889bac72bb3d1587ee8aefcb11e7ba9eab9a1d516d6bae7b717417b3df3dcf091186a9adc6b77776aa23cb547f26034fd6aae34adabcd663bdb94b616319d765694acb4e99d9f284b8bd8e01ea9c75e48c55d9e9fea339957429e57a4cdd205bf78acc65e6ac75ec8871bad141569b374c956e53379dbd6d2ee7098b7cbf0b6cd06e63449d2a9c25b7ff43a2d9edf446ea28b337ea7ece4b53a1bf1524813add9742b47d9a6d796772dcde2557ec4f382b71c688a64ee660b7bdc5ddae63aeca7453822f59997ea89d1e2a71ab159594411f6238f1433b1d791d4999be8a14b4e07a1b696836db7df594db58dbbe6072d3a15763d8f1ff261afdd551c13cffd0725eca745d859b13d5b98eefac294508419d76b77156bac62233116e528dbf6da5dc519db715b9b4f5d429acb51b6552219efacac9e2176718f9c87fd684a2902bf9e185821c7adad4ba8b1472aea8cd7bb3a3f0e5b238b577473c619b235240dcc23e2b9ad539a306999dab89b7a5b9931b7dd9dd3960b39c42319e28c21b6ee6f5ba4d3890b7bd072e5b69ecb6dbcf0dbfc4e11f8e978584ced0e3b7586d8fcb13dcb1f7762fe382ca6b6a966ee969f3bc362ea119bd81ef3536508d7724b7bd0f57bedaed498f34f1dad65f3fc4cf009cdd1786e6e98f8cc230af0d5a95ebbdbd11f94b01f17db9ea014aa8415722c9bc54c950744bcb4db3223a76a669b9b027cf211a9cffc563713a299e89852619b2ac401803f991c6e748e1f29a2d88d6dd2588e8c42344c5aa5a7fcc6362ccb258dad458cc27e2c4d258ddf4aed756874a4dce5e3847fc04bb53533dca48a2b36edb121fdd16a69da5666d4c4e8b43a74dcd245d948a4ad98788f4fe2ec69381a85a02b462215be3982b8c13437bc07ed0e1e5a2b2fd55463eb50e2805af082fbc0efb20dcfcfba7aac2c7b3c2fcbd206fb3a98329b96b8ecf22d93d345c6e47946e3f9a0d592f5416bc4f75b722086b4cab7cca72c2b78319a0e7a73859716733d2ea6bc14cb835e44f1528c0dec88e21fc26c2088b3a711ae2dd369c75c6abcfeb46030be4d517ccb998a2183f1526fcbb7f4a791a47787736dd95df383b1ae2923511a0dda94c1b7735d6a59b4d49a6be29c1ab51f8c9d17e68cc48f86edc1d4b4748d79d4447ef438a63b066529ed2ed76b77b511618aa3892276db7c57d21f89b62e1a92b4c11581dfd91ae688e95a16f58c7f5ccf8d96e48b92c68b529badfc3467400df8b6b691531ceca2e32552b9b3be76b544dbf4daddb697183307c622b20a79aeaedc54cfddd4803967a33c984bf901077deb38a651d84ad2eb7636b13de6c35e5bdec831a9331b5c69f9aca8a498dad6b44def49128782b29b8c41dffc9933d62a1f5a4f38c0085c188c464a8a15f25cc21a4351ebb5bbc2481aa902af73bdfe7c250de656afddd5ac713776b3b8d7f057787f265b6d5e8feda771831b16cb8217d43fc2afb8d48d7bbc80111aaf3184f6b4e43796c1ab9365d8f2babcda635a2169e1939c374c1a73007f221162dfb5baf3d68ad06a7b535954c2cd63576b7527fa9ce8b4416fe3d23687ddf58878e205d1d9aee7de906cc56e0ab6547693d674db6b7707b669ef5a5a9c0f0d73c70b6abbb3e6795574b6fc7cfc072f88bab2e63149e3c387f61a6c6b6e8fbbdbb6a3cdab383b56632f89676e67b4f0a5eecc4dc00f10315598e2ea6e442991b255a329a54432a9ee3c1cfc6d6f8d651d01624235b3c6f240994e4d69e68574cb1ab9a651ba64979657d623f8fc6e874b4f31bcce4db4fff78624cd046d909c83b2b4c3a02cc5119447e10d1cf75e26693caa641f20a8bf9aa4497a436fd737c5b22f183335c42855986fd58e8229436fa3980a38362f9234fed619ebb1572532e235383cca905f2a4399ea45fc526d4392a052ce5995dca807a32127f4ccad00a21b018879a9b19421e190c47339caeceeaa8ddb42b6ea1152ac0853acdf19d1f6704aab894ca91d6b6d2516ad4416a176466b9590e2fe70ba5177235c2534ccdad933851851aad09d2982b2b53b23ca1edaa11579b49ad8b13de4a11d3bbf236dfd8e01ef0b9588dfaa21b65106d85689b58d2a64587f98ed143c836b0b97f02a63703b7159194624130a0cfc03243e36b90f8996b4083d425ada9dee2a68cba724496ae7f6b8bedf4bb8152476826d776d8df50cfaabb7852495beb5cd91f128eab99bb0613f92c0e84b9734967e3d19d83d7e33b7c6faac33e43d3fe18a3a19a1f9aa8e2d5a1d83e8185957d00ce74918616a046d18d18ae051ea704af68539a3de48b4b41e5a2bc99cf3ea66c4b7f84dec779495eacdfabd29cf2b9b112ff0ad5dc7c67c53e3b792c6cb8f0fddd823b8c20fe9c825e86414893c2f6806cf0f0a3f91b63db28bbb21b7b34d756b8ff55d8f28712b31b66e6260f658593a26bbf20863eb2771649b5264111ceea69a3dd9e29d51a7c4ad64545ae36709163248d694ab3f6cd4ca98ba2b393a4bb02c47eda8cd55ce37189dfd8b122cfeb02f0f70a3ad1bddbe6ee8d208e7b421de1d3d8df5c803fddc89eb5e342740d7956186a982dae94e796fbcd33005e7461ade267a537e34c6245197644e32cac458f3dd30ed327c5b9f8ca4ee9321b29cdf51d7eadce37b922a8d62bbab61c66420724343a2177c4b9cb726adb63de5970f5378d66c6448ada130d046039153f521b6b22d351b0fd6a1dd89b7279d0267a81b57093982c6ddceba90b4113fb6b187c7077deb9b23488ec696a9d3a2866b1e11a76e221572946dd4c13a744d63e711520a09097fce0ad203ce4dc6b8df13715c069d4c8bd06ecb4c80914eecafbb0fc4d8313af82c10bbb4df3176729461ca708e293b1eebb5bb4b97d0ba7d7abda9ed1c036787e80b1ed96b77c161d9a8bb39aeec46547fe88193b556041957047edd6b770bdd13a564bb49c0f10780ac26a948569f747ea7ec44aadf021de58987212e427be5a48cbd07dd73c36e953c713a46d1723d5eb192afcbce2180ab26e90acf2a9942c8aafbb19dc85b6b374b948e452b891daa3b85b486a3adb2d3a8fe402e04cb9ecac968a34622a512d24c31c5b5b5eb86eace0ed58e3e5377e25ae58dc8c879c10a8b9611b23c17b1ad96c0af258d979336b5acf02666378ac16e9598dda8128bf50d76a76ca9ad22883bf565e2e8ab99aa4246f4daddc81ad09197c2c4e3151bd7163db235ab9cb8685ac8a9be7208c0d28cee65f3d6b8b05a7ae6f1a2e15576dcd2784c323c5ed5449e171495971a535ec7c702e058a433c254f67b73481e2b613fecce6dd39ef9e6069361e28fccc499f2dda7a761fc913cda44c1d058fcc392473b8bc00b45caad81192b1a966d2cc3d79d11970fc6be6a60063d1ce97dc78873c52c1d43ea9643498f823937d6c7fa932ed9d93099af5591161d32eeeb18b61e1a7a1488f87868c6c988f4736bd73503532fdd4eee1898fdd51ccab462769723337e725335b712bce34bf97030b4bbaed12dcc04ef2866571e9971620aadddc0c470c7c8f3c1d0568d8e820f635d55469ce8ec543518fbb9b5534d67147f75893852880d638bbee98bdc72986c2237ced7e6b06b3ad27c3b4cedb9b11bad87bbc462058c30e7bee91ab165a4ea5cc332ba17a9b9dbe1127328d2cabc5cf8522c992637e98bb4e213b913185dc1118d75ffc1b60651b774b0f2abdb51a991380a278375a8cef14014b48d2a781b49e32de1415fc9d1d74e3e5594c9601daa6c6ef2add6dc1aebb31e81b3c20356c8511468ebb6dd5e6fb85e5ba6c9b9c58723358ca623ad3fc6b9c9602799ca68d1ee282bc5c7a77147592903b99093eecc2346613fecce5d425dd86379e998eccaedc4a19748db60c085fe58a5ad84a38a216bf06227efc8663049a94e4be0d7f89852268375a83076d8eab94aab4bfc11a6ac34b698c7de5428bddd63a71d6b613ff2b9c9601daad17cd31f4ee9fe5021d4e168a7ee446a34fa9a181a1f7a5a31ed474a2127b39547eabbcdb858f6d685dc8f746e1c8489b9e69947be90fbd18c1b07db477ddd12278375d817bcad22789822789812c9dbbea0e19eb97d7cd2f8526d2ddaedf534ec47b6b499d9d3766b4a4d06ebd0ee18c4d8f34c7cbdd137eb912acfd6dd3211db4f334b5d2f64fe29f2d496906d5b6e163c6a71c7e2795ed1c7962474b95ebbbb76375dadad678ab0b106823eeed96efe955ec75caf8df3f319dbe6dbeb65a9099d78fd946fd7d348168bd09e127ccfc4676e22a5b6a94d9d0eb7f31f94a99dc4853da03d3712b7ea965af7227ea9181b4c5c69ca4367b6f248dd73a38ce9cd785e6cb7724fb04a49a75461de5a799deecc224acf4dec581178a61fb53cbf358adb1d3af6856cccb767a545483bffa1b5b54d3b0f5aa2c30b62976f6d666e67b374093df636e298176443dab6b62e6960f6b8bb1b77a8c4d5f96cfca0935e1263f6b8ebb9e123e14f3553e2e7cb274d688fb4b9e511c6cc4bd44c6ee5567bc82f3dd28e7a895af86315b3c7f2b2ab67bc2c5a035e90a7bcd0f2dc849eb9a6b1b3c75dc21ecb5339b2545d68796ec2adfd4ebc725365ea26faca7f5018554bbd8785d6cd734de03b6a1cad122d8f329e173a2a978bb228283b25e20949e3cd5ee9753a821cf623b19023456a4d79aca5f1bcbaa53ef38ca1f73b65ec2574ecb66526d876877e47dafa1d0717072dc1ed7091b39519751849e3cd6c6899f4dc4a384a5c656afba1088749fc07a363fca0d5188ac2c3f86b5b2ee4f92677cd18f3b632136cbbed60acc7de5666fa8242f5056bdd7fc00a79be9979a4ae0d465ad88fc4429eaf07fc4c5e2b837538ec7033bb2d33ca50235593880cb18b7be43cec47235a11f8f5c4c00a396e6d5d428d3d5251276bec0f7164a969cbd43b2287fb0f6a6e7746c184a7796ddc4dbdadcc98dbeeceed18b1d7960b3912256bc387e3c13ad4757b21b6170b614961626bc4ffb16430519bf3928415f25c25ed56be103bbae19ad2ced9ca8c329c16f2dc16bdadcc983bb950b66b6c3c5887a399ab4a2dbde798f45c8e329c103643bf2361f64066826dd770533d77db32f318cc0a45e0d78a30a214815f4fc65821c7fecc196b613f2d423de1b672946d7b12f595e7d7853c97306dcef39df63a343a71699bba6e4c67c24832fc4c6a3d791d63e96d65c6248b7030d2c27e241772dc8ded5495886912b78516d713139217d47667cdf3aae8b6f8796a8b4385575b235e9ead0b395631bb636cbd6912e70fb8df6b7787f6b89b5be63aec47a3428ebb3337d1c27ea4edd4a1862bc329a9ec64a22f281b75a75093c13af4d658dc11c4424ed5cc1acb03be259a4e4b0c073371e49a46e9925ddaf7a654afdd2d5cc20bfb914c289188a90f38877cfffe3fdf902448b2c516697e4396a18f34110c77088c745dd40fe809daa08209eaf80c8bfa04e1b1be4b38144320f748513a658034113e2d39de9e8b6c276ec8a91adba616f64379ad98e25611d4d0aad80e0604d2986d5aa5656a44bf8dcf95a81bf53b7aa82422a646320495997bce7648ec99636e76bdb142f64d8582a0f802db0187e3ef643bac9d44637a5b76ad981a6645d2dc4e14ac2fb4422b9ad2ca6e84ab436ba724ea4cd979b84568b86a6a981d49b19dc8747f68d1b6a0877622ee94dd6ca60efd48ddc59142c8db7e470ae5701d7aa43ef3523db6db322347f25a89ac52b94439098185c0a5fc985c0fcc0db035767294bbc1f65a0020d2fb000082891002e32a0b93dc643b50fb00703e4e309e6f53ad6197dff68d2a908f834e8c69043787a04621710e8226589d7113a3a8828058c5ac711733be62fcc388673562b3b2aacc2c5f1cb33ffca87796fd211441c4fbc288a8922591bc5376734c11bc1dc801d99fbc0a5821fbd38dab77d4c17ed88fb44d7fa8ed14606b2478ec9adc36189c01581b731e8443a201e7901fd2751cb481790eea36080e257cdac71c9f7258863bcb0405db6e629971e18febc8508148af23ed202b21df1abc235f68edcc83658e34bf558cab4516c715112b580569196cf270b145ee9165e803c769ff1f0affbef8bffd7f24728ff8cb0079cecba29b14d7c430bb6ef29537fa411e67db2448811bb67f21eeec4955fe04431b34eda01ceb90a847502ee7531e897bf8c517524d9a6b9264c5eb729645803409a2eaee2beff616591a65eea9a5c717078c8336aeb1b95eb4941c626413c3aa96de23fb1733ccad17cf976e1007975a7c93adf5e2c5c4105a4c3509eeacc50cfeb32fbe91817cf1627288b34d9269e2e75dcd346ebdf84a37df52f6172fad5a4b714deafca52c75eba569e607713809bcad1707af4799f699006de00c8e3a1e4da02ccb512c47328e4734aea917d624d8b3cee66e8ef2c459c617c67882e12edaf0d900e5b82040691f73d986c305938673f1b5951991ec27acc1b1dcf9507374d5f849180760c8d05aa459fd8312c83d923be50c69229f8bc5eab3ef94f0f024f381dac8b08d7ab0de7aebe7eac2fbfdfd2489b32c902c53a06a224dc4218cb5cf67ffaf36f455b0a8e99adf90c591ba89df230e5c4abce46d62d8271a6738b66ad82a58b84813f1168103e44de07e16d972017c4ca428b385330dbcd80146e6a7fdcf4f73b6f81466c83d923a1531b4289dd47716406e7c8126b44fd36883c25d94a3bd00e55c82241c9772d8c904b947d68bb00c1648133990568fa68ce2f7889bf915eb731ea60089835a9636c882dc234e1e1a87461fe4dc0bf67905509504a5530d41f3db9f95b3ea9b304b87611214a593e42f40b722c302e8de234e9a66a5031717f0e27d8f551df809106891066500bdf7392c503fa8d415ad4e234da45c2c03e4fb3d9238a9330d7c290c62bf409afffab63f025d050f419d3cdcf378ef912c0f16d50b912632ca7da704abfb61ef946135721754034c6d52bd79b8cd41b96b310ce8d3fab88143d3264d278eb3b591c5cb241037b993ee35f0fb3d32699ef7fea4f9a2573e21cdfaaa7775cfb7efdfab47e78b6c15c2bba03feae72ca087c3e4298b430f74a6ba6e5549d60a533f4ca74a6585f0887f7fbf479e3de24099fe14669f8364191fcdc08bcf9e8908307b547d7bb1d93076f7c8857722a6139652b690c24551b6b3b45826c102f95ec1c845b3256e992dc136481c866875c36cc12c0ba05483a1c00fa489ec75ed22227b68836d5028cbfa18ea6138ee392cc5380db0e77799a8ea24f57bc110ceedf39a41fea450efb0c7d87183b83245309c93f51df4f3d38beef9f5d657b5fd5798db41e4daf84e0d3b5ad3cd1682ea7faf94bfc803af7a46983a71b80b16003167dd838085007b7e59f55b3e73c0ab4378af0c5701282e70df2f6a2e794b73499a212bfaff7b35179a8516dba20c926bdaeb0524ea7238897a38e3d2984b4f3802f0eaf76aef9f10ec3768f0b9341f5afc27b498baa5c51481357e067eabd1016f118d03b0a763a087efe32eda07180e080f7568964549929e383e4db10d0762a5bf40917f5eb8dfa5cc67127d28f49f5068fab72974be74e310e832afdc7e50661fa35197601c940e9c80f0028f6228e6bd6effbb7d8acad27e4eb0dfa5c87b693e94f84f2831f36795385f84d9222cb755b015149f0a6f16f8cb384ca7fbb0f12c9ead9c0dd48b9745192c506f1196a1e7c457419bc2519673703498d0be8f9101c39290cd7817683fedc56b5f8c6f5fca7a3dc4fd35a24f83f41855e2f7ef318c5f1dbb5e6ef9aff0a7fda0f016610eb1fa211ecd17419054475e84924e0c9956f0a1c139deff24f699580cbb479e3d0c1915817f37c91677f570dc1d34e82ecffce2ae9c39e55db22ccabbc532bd0bd3bb7216dced95edfece5d96779e93deb9c15d92ad02ffaeccee9c342b67c1e20e66c4bb707297065e5014ce62fb09724eaf84469eea43bd6c1d2c0e8a059efbff7c03ef1b626708004e99a2c65f6f5cd094db96e5a30d8cc35196c51cb4c1718ec3304cc036a8f7ce20870ef83596f5a7e4fe30abe7199a1b6685ff09b34ab3f2643e9345968085858b3b6fb95804695999d12fb21cf6cf5a0ee8d3599a067ea210babef6a87cb4811338caf9988f322ce7e11449129403eed7bb661a1552612f12a85592e23cc1b04f8bfc9c383fe547b941e9bc48913a0b0fb2e94ee23360f517aec8206d1a87e97283dc579edf29c3f3e266700b4f27675951be6ce2f32bce9efc06bfad5e58fa712ab6eae7f217e45ecfc76a72291974a1b3ea1ea993a3174e438beb93cf7be2fcb6e7674ebd78e9befa7975cef69873aab3b77eb090059874e1f4cbecf65fde97a75cd7a479567ee2db21b3366f7efb8294db3cf88234bf200f7bd5f9827c8749f4987ddbdf09ad8204385c0f7f7fbf7f71bf9c96c1227562f9e9ad4fa89e075967cf291db75e783abed6cb97f01a786590cf8224583831bacfab1f4e1c2b685497810f0267aa1f9e933b5e5842d2fcd73d334bfd10dc2a78cde1a9cf3b51088bf913d4f9582e5e7564ec14e543e02c4a37704a58720161a17d7062b880750678f8f99904bca1e9f1c245e01419b838d56dc7e1ad7e5d1d17a52a33f20f13ea4916fe6112e981e36f5f6a2e8ccc5f3064d500fa4e9064a998fa791656456bbe21930a97e2a03c1c05c39c349fb205fc0518834c9a3095c9e924abcf01a88565e095cbc5516ddc2c2b6b5882ebbd2c2d9d300d16fa3205c43eae36d67a3487d9247e79b0e618bc389a38de2c4c83d3a3f7f3443a1d54d1da41bfb3424eceb4b88e1d46a3fabeaa15c5d25d0467abb30ee4e8ab90e400b0d5cad61e5e0f0b5bcdcf9fa1f1280e33d9d11a9073d3af5004a966d90b2882e0c31056a22b0b81b54f9ae9c0811a4910029bc3935f20d4af78e43992fceb5b85c148f385a5ee293ab05881484e5cc0810bfa786da9132e7d092ad7ae3de00af2588ff383530c969349e885415ad6f85175535154c35879147150decd9ce2ae385e7857f7e39db372c2b8c2f3eff7c7b69d03e3dfdb32357b21cb11649fb52bcdeefcb098dfe57b343f6fcc197afdbd6d398dd2932cbc65889e64e1f2f854f077de9821acd9df576af40201af69d19fd1b8c3eb5f8f4558dce5595186e9f46e01107db737f4efff7e5653eb6445273f048201bfaaba853411bc417c22f04f388d7f221ae78379f07b9e5d7dc0957fdf231770790f87e7a85c63328e113406700ef71f40f90c261192e61ab81b3001e7ba1841392c47d32c3109b08022028c62917ba4a8b0b386c7e3f528dc80c21d28dc82beb8e780f06fbdfe05c823cc279cf88401e9e200d5885ed75bbb3b3007aae012882cd7a60f00b57a62f19b9f3f139fea07eebbea38739c956783534f8b6cb33d9d04096adac7690e410e61d0f3a96d1f3dc1fc7135fd836337a3581a6f54fcaf5b0bb7404709bd63245b00fbe019eb601f6d4163ea30ec523695c5d0064e61a84b3b3e8a05343361dc064bd0c0c37c578c3b0816200ee8ea5b7808cfa402495fcbff2a1ebf25eb4f05c05e96e4590aa4cc26f077a047834595dfcb56a10f64977339df1094be9326f4d7c5a6672dad9da983d7029e10c0c2e42c60dc2746e52738098e59b80fa0860b07e6dee729a530979c248cb7cf8fe6d9a27c158cc0c12f4893a2c8fb2fe037959997c55588376cbf8acd40290e02c08dc7bf17f57d87dfa5b39806658d7207cfb3080a48b9f2934998d6a156d58e6324f29c96014f0746c691b5362bcb1cace5f42a101014a3f26f417ee4fcb50c459100c8671d87e0d8278ef9847d82ccd2f138bce5ecccbfef0f0e56bb5ef890e125af8447d42c05c3daf77408951aff85c84f2b0a9eb03f7aec7f6410a6d33818948e3747ee912b6377782368f57ede6a7e43e2ccf15b4eeca41e283ff4e60d08bb4576640882fb21f504ec2df402c7f3b225c41535bbb1b8066437a84b1e87367c0f435d1627d080f21a3e4df8b84b3c43b1fdebd0fdfb50982ff694f0fb03a199784d82ac718daf857c2bbc9d6405357edda457d876ab056fc6369872fee7ca82037e8be4f6a6e1f2b274124e13a7328dcbcd82a3480d9ae822cb4ad4733e790be8b5d70d76d006e1411508a781d218871314ce709cfb8ca5fa7343d6ae04559cfcada30593d10b79a1256f19b61bad78f3b0bde2b0823cf5940d0cc9e70b5deddacb29ee9cbb367fe72e533f0eeaf5adfd12d61256c2caec6e152cc2c916f2f077f0bcd3d474b79e05e9ddb200c7f5800e77c121babf2b96deecce8135b3e0747a3f1077f2d35db6a89eb7976fafe89f8a95f7e94ecdeeea55b3258463776171375d3a0b272d83c0bf73bc45561410ba948bd05d4242a9b8cb267710d9d50f3bacc8159f00957eb8ac79b25fb4be16a6eebd9306b9a82bdcdc5f36e91ea8cea7c460adec809b306b3e4f185f23e4c2d8d4cd7f35d635fec2f2e7e155873720b74dfd162bf04da6be1fee3d52c254786e0f20f2891e08679ef99d174d9dc271d49d902e8ab32edec0268d064d3d63bbee5f79139dc9df8acecf9bf5ae56bcd9d46f22f42d1adc9b86cdab80ef02423f6fda7ec4aa836f40698a7451d7f728946ce00e4e911c463468e4ec5b829f1bba5f8dd25573ea0cdea5400790fa5a4bde3c7c1f485d43d507523f9f957f1aa96f1105df64f27bdbbb85d490f1410f1cd8bdedefa7edab86d2205167c2b228dea00996a5308ae1200973cc08ec5f7b13ada9df8fd6cf9a7619b1afb4e4cd267f13b16f51e4de347cb711fb59f3f62357c1dc5b50db755197f55d94c0316e1238041310f071dc9f1cc2df82dacfda797918afb4e6cdc3f881dc1fc8bdff0cf0593cf5d3c87d8bc0f726d3df43e82de4ce0f64efbdedff00b569cc435987a0d0864be2ecc4631deafde134fdfb51fbd8ac8ba67ead156f36f59b887d8b3df6a661bb8dd8c7a6ed47ecad684d1304ca0614867a2e8e7b64836428fadd9990d743f75bd0fad8c6cbc377a5256f1ebe0fa4fe40ea5f8ad4dcb5a53692fc4461244bfd30510dc65c25030f9910a48914b30cf28b2f6cc0f77d0e6d70ee04657d8645dd893399b8ace77ad8b354f4972586e1130007af8c3fafb04fd827eceeff54cb899f1de05efedfb31cdbe7ff9f546f26f50a99dffda5cecf08fd26c3adcb919cbe9085a6d56a0c59ad4326ec1374e4a1ef60e7a9e79feec34d5e19bfa0a4c2e23deae4791c063ee4fc26e17479fcfcfedb1758b8db2fd3562b492bfc0b72ffa52a6150fd3ef65175f820c91704188667ef8703dfefbf54435ddd075df505f9fefd4b0a92d609c6ebf501bc3246bd1848296811fa906ccd63202dfcc97464ddad750d801fd50638340dd671ae7ffffffe3efe562f0f9ec6f698ef84675d1de4936375204afdfaaf9f89ababe860da38cee1d48fbe1cbded858112ec97a56ea5387d3f20d006c73228eb70184ad13847736440bbe4bbe77040ab9765387ee10ad4be41af50eb96fc6f06805b8e177175b5f0cd4375d5f3da376a0f2ea095b703e47ab81c174359dac550869b042ede2031c7810a4fef0a902f0cd7aff6b9f6adbb3864d7daf0e621fb70b66a00fb072434df83f587f5a023141f1686f660fdf6b9a06e3e4cd2bf242c26ae2634c1cc49ea0da554aae26c0747abf2ba0e1e43cd0f409ac83a703fe16ce0307483a3275c40ba382c48bc3291098b3628c24759d6c3518ca1699fa602870ba06ed4d1ccfd636936f02e5e33025e530244281f07a6f316a2d3155901ac5e34ee5de2bfc3c27fe4bb9c351badaffd050ba9efd1e68afe01cba6b06a3a81a23df0a54151977daa993b61bacae255e0f7dd28f08ed7826bf8ead22351b3bef3c0203efc020a4f984edb27ea577de6c0f1066efb33b6542555591566029f0696635f4953b99b08542c3a2bf3776188e150adbfaf33efb7cb003ed33527cf8bfa7be403377def0103539c007ff5d06a64e039f0c1b51ee471e83983aa1adfb187aab3817fb7ccef16f505774550dead03176db85483e65c8ef1eacff930a01480dd9cfae9ac97ae181174dd8be1445ed5bfaa35e5c5505ebb6caf2af89138a5426804df8957b001ca8034d3651c4351b5d7437d45ceb38be5144aab55a5d8c09fb9c6a621985b4125c552645540ef27f89bfbe9fea6a6041883363cda41d9a0c1a238e6d13846373cd60796d811d87e5190b9773fdf81777ba0fe01bcdd6cc43be0ed2c8883d007dcbf5f1e44eefbe09d21e43a70ab3b602cabce380f2cefbf548111c49d5f6a06e217a83bf7a52268039bf10bd224318cc5802a992de0278b7dff37dc16c48157668bfa5627cfabc7562f83a702545547e0abd3fa411f516c05dd30bd1c83d166b0a9bf0abc4c6abdc57885e1a8746def7e551fdac1c12f48b31eaf3d45b51a864bd4d6ccaf4606c402a1e0dee3dffb7b0fbfcb8bf4d65a030ed7bc628cd6531a68025cf2fd1addf5f42e90f2c86f65b1e7f456f87d12b9524a60bb1ef410accec9a142e33a7001f38f7457f8b8a1a2c1d2f0790314a2399e3a63c2ee4f9ec8b007c5854f0e5e12790f5cd82ba377a4b5de1f78b1ff10b62c79335541530de647998a6a82fba15f7c36711f5d6406a3589f985c7291038c451b3e45a00e86056883a6a880f63c87f500c48f33c9de3928822b2ef2eb95fef7bac83f10fb88a0a750e0a5b77cb325ef984e6a0ff87aa6efc35b06c43a7981939ff7969f39a51786180ed5def2997a5c749c1b68830d1cd4f1090c9df8b883330d82e6bc574ecb4dc79902ec3a39ce4b0f2abe4c9671bbaad3fbec1bb6fa900fc5659a2fdc659469b03458cfa98bce1de5cba6047dfacf72942fcbf97e4799bc99f7fbedb8c7ddc4bd0986720ecba2dca4814f1c9ff55cea5906f05a27ecab9fff3edc3b880d1650798e3fc2bd2b2df9c0bdaa5447510586cf120ac718b876950e667ff8051ed96fcb12fc77e2de7cc3aea106db07eec1c707e45532372442190a23895feef0d553cfc9edc31b2ce373c0b27fe52ce10cdaa018067558ce411b64c32302a641b8556dfea3dbb7a71ba1fb8a70555af0007decabc5e83fe1f25d17fc2d0078ab2dbf1200cfbbe12f5cd7dda7bc6a647ae925d4475fe523c19ff8e765479f32d0c50b430a875e397ab5525c70f7028c0495c550d6f14994c4298f6558da2331f0d19ee549ab4f7d2ea4485970b80e908f0cea82870108779c169093ff176fef9ca208a769e0df4176eef3f3fc682d27a4472146ae2a895d86c0d7e604c3f4cf72fb5ecbf8132edfcd35a0df047dd5ec730e7ddc2de8a3290c7528cc41190f677d7ce2fb5eb582f426e8e37e29f45d151c8ce247be1f40dfb5b67c40df71eb901a0f8fb65dff3cd8ffe1d76f75f9de097d95525c843e166d38848b3ab8c7a2b8cf522edef07ccc83b0f84dd0c701e81c9afea7a1af92f3087db79687ea6d574e53e87f27f45137b37c8d06cbfc9090e45dfb860fa69efdca0a44834109010ae4035f3977048d3618dc471dba41a28d0633c12734e9d30e24608f08f78b5687decd763913fc2d0877ab2def40b8dfb848045c8c7a29c6cbe26c09cb325f10375e4295bd7322e2b1a7aa35a10343a3bef34c3c3800f741e754eb07870eab6e83a3d5a4509f9a65ff591c45e82b582ed82f9c40ee10baac5aa48050fdd02b70cd2fe630ee17410e12d4638534ab918295deab4bbdd4cd0c164b30f502f67ea97799fbc7dd8c8a6cbfa95755b5ad66af548307f65bd387613c7f91e77bb46c58018dab85fe7db046bea6b0d4f3d1eb19e37c006ecbb62fac1c00bff6750b2eb7f61552ddf2e4f72fa8a2e9b71644af87e244553d2d4bddc320a06590e4b0db143a738a19d2441a479603f2fd1ec9d6507b3098048b2085c24a50baeb59179dd2c7fb1dd25e65725ef5c48549dcbf95ae3e153540f61b5cb971e6cdfb205ab51f56d51fb0f5152cc1fde3172bcef569d2dc0fe95e676ac7eb34584750a846ad3e9b67af066d4f717b3558df0e0fa8966397614dff3eeef672a3dbbf5475655f9741aa2b6d54bb357dab9f0a2651216fbdda0e3075943a3caf2459fd785ac6f1f3aa48703f801d60dd212e3d5f499e3417c1d765503c5b5e9e34abc28e0701cb60918469b5ff9c52d73d7caab640ac3becc2d96301f09acae4a7c5e9100812a45012714f71e885e91c24aace2c2067ba289f5f7ef4e16acbafaf2c026f095b3d40759260735ccc3e93a6b370bce0295884993f08a0ca64f51690e9b75423ae91e06dccf953fda37a873d0f105cdfc33788791ae4c34840bf4123aabab8d52595d6958792c5d00f5529d3a2aa1f586bd8e931c0767a5a646e501396ea3e84832feb62d667321768ea81df39db23a23e7314bd92085e8f80a2bcae801c96a1035b8ff97fb7284f995f75c9301b94ce02b6e7db77d43f40b06326682fcbe44acfbfeadfaa45fb9b8e8000e3f93b07b91af223480daad2b495ba56276659519e2ab8d5bf4051ab93d7156abff75c7d599ef9a747543fe0098716561a1fd6ec231cfb84132c943b7bd90b216cbf0c665e815bed129d3fe52d905780a61c4c05dafde3aabcf5b690453587d7a85bf9455005098a16044581e65cec42ce2f5f64402a0d7c80f3a380fffa76f836645ffa6b98cd03a8708d541b4757f87b043292c11af787ad68cbeac2ef5062b60ee6a012d5694b5470cf5e7c9f109641528b3a0fa0daef9ecd7d7ce2fef7f77f570ff5b375ba76163eff24c3634f37efb7c285e6d66ee67d0d807a30810b9fb932556ab482c7a76af6387a7ed5375af5ed401b022f639f14ac37f4a408ac3a7854bc5a707869edfc00f5a69e0a91741aa6b04dc0b3a9ee7c86abe014c1312c81feda0f9a5257838311d83fb5ea32277f35725076b59fc6db83ab94c09dfbf67c5e398bcf8b65fab908bc4550169fe12127b63b00eaa9f65c55b3f56cb27a36b1229ffd60f5f9ec2c1a6753e4fed2f5fba9169160b3e27ba4ea87732f00e1e3b5b32daad7bd985c0fa79e3df7d2a4094ca2b339fcc078aa363bad1853551dcebdd2d673f461045f9d7ef65113a4aff7d7c39f7526fbd2bcfec203383cfd2cbb738f94591cd44652eb47add8f0dc179ff7a55989c2389ebe96cb202c1337217841f7483099041e08aa66e226f096d586b0a7a70f0ebe048961607157dfb34c1781e3cdc0d539d672fdf937fd1b76b4ad77b7429ad83d72c98702271d2e7bb9c1d195bd82eecfea305ec267fcfeb831a8be4cd330051d3cf741fe752c697d758e85965ff025f0d3bbcfab2b9f4d5e35a51a66b4971eca65a6360c45ed8d20f2c9f7f83b5e5f4dcd7fc78b5fb8807f87084fd9c9a5f9ebdeffef7ba4763780fef9acb6f5e1440d09e019bc2c7e0d76553b1d672e054c8470f0fcb6a3bf5161e9998370591feb7ddc2b8ffce428fdeb58f01588abb50d80ff8c2cf6f6d5fc563f39f07940a08b9f2e803b0276018f859bbfc3829903fba8d7f6bf87f9364c4d1554549302006fe6cd83057c791587eec2596c3f57d36513f21305407575a12c5cbff4ff5fcc1c82669a2ce30501e1e118cbb10ec54e2654c3c1188299b00446380485b12ecd72a43399d0fe84669d00c77c96c4192660fc868b011e1e67f3ea7dc75f502fdb9f0414ee12131a27f106eeb10c4e72788061043671582c2003826830584052f804673dcc611c9fe67c2f205982721d1aca4655c303fe55dd25fb6d0b82e731d6b92f007d78f4c46083fd53507c7ed9f7f7bb0c3fef22804cce33776301936311ae02c098da0f81dd04608af1c159fbf73df2352bdad5f6824da4b55c14f56632f7bfb007e0bf6b1fa950574bbe0207e565e6b2caa6578be007770d6922ef261dd7abe1670bb113cfc526803eaf927f44036d7013126559d2433ddfe3286ee2fb8c031b4fbd2b99f92b99274771c1f5acdde0abb51e6eb6a0eace30ab36cdd933cf2e03c8fd0fb3787532f77f1be56411ec57644f9f6401b84eae738f21c48499679f02999cf221b7bfdaab93e117061c0ed541cd1901b9d6f00b79dd9bd9ecd7c1d7c1ca4e9fee91b0807a1e93c1c72a9f8e605c7c5b07ee7748541fd76f21b6a81dc1e3e2f6e1d85d357ddc7da983b02fb081418da830ab9d3392212eaa35aceebbca49af77aef98791534e925ed08da3d8375672aed6c5fd2bf1d0bf85878ed340592ae0d0c0637cb641112ec3c11ac2df87870771c116de8287d75af08187004b00514753ade1ec60cc875f7bd47bf581f2059daf6f3999f5e4f9b718f0b2daa6f76b26754406d9b89b5f31ff67e361e5c21cfbf8398f2f5fc671e0bf8446d810182beefe0f56dc85a9172f7da88cbe76422058fcdf4f77d516617745b80b9a7714cbd20d8224eedc2dd4a882a061bfc8fbed7f2ba8de243aff554e66701354271eca7a5480060d96c3480e6319e7d9771ea789e5fa8af92f75320fe2be1954afb4e003543f40957d1ff9f9fd4ee6fe63370854eaf566a4794a6edd552a5861eeff7a24a46fd584f8ab9070720b095d0aa8a38d09daf049a6fa9ff39c15f89723e141dcb722e1b516546af8116e23930ff712f299bf27dcae180b15d65d42c24396f3fe03096f56c7798984bf84325931d12f26656e30e66f44d5afb79aa9a3a2d78a754e7103147b9d303ac8f69cfe068b0ee769a5b752266fb467ff828a22f84199fca04c1e78aefbf0ff8332993d6776d4f9933366c781f7b1e77140a604a6d433ba457dcba5e5fefacc7eb9eff404b8ff0561a2bef222b562722ecd25f60788048beb35f31798122797ed2f5c21282ab619a4923f2893f570c21af04b6e447de612e3a23e73ecc54a4b8ed9b997eccdab748e975c3b90e18cb4513f160efe3ec106878f67f7b27c5026df4d9924f65d77248e023102ec1ca0e3b04a54d9daf18a730eddf160b5327eb8af72467f396572e3ef1ab0a9ec076512be1e39787eff0994c9c3c801d5aea62ad45c8c9fe74300bde1c2d459b349ff9752266101f7e2bcfec203f8a04c7e5026711c2588214e3529aefa5a05bcbada05f8a04cd65fcdfc7594c5fb73eaecd1a5f9ebdeff8a32497ec209fc134141cd4658c2959f911f815479ba02eeaef891c0b73cf0220189aa839748934475cf998b708d9974e49e00bb71597d5df2af0fd2a4df70ab24e3b1775e932669c2a10896a0189698902e81d30db2c13278a3e141a1666242d134c9e1044e3502dca34986750292247c37c0b08633f18102570dcfdf4b9a3c380d3fef24fc079226af6eecf71b49425586f0449a2430ecd62a8e4fb82887fb1314b63fe0308c097c02729fef4a67fe99f5ecabe242fef32d24a16b2df858c5f96f5dcfae54e6bdf9f9d7c9f643387c469a0426c7240ce2c3876c7f2369b2da7ae13f8f344940fd8bab24f2ab3b66fe957888dfc443064aff7a14ca7114d368908ccb4e9e6db7774a911ef83daf97777e291e1ec47d331e5e69c1071e7ee0e13b2b7cfd1c1ebe58d47e56fcf06f264dfe57822af7375085aa29f8dcc9246e822ae7a30ee139a8e3701c3dc149d773e14bbcbfcfc93c88fb6650bdd2820f50fd00d5df0eaabf8334f9df888434f64f4042f22612061cca723483522eeb700e46f9131ad26b7f1f121ec47d33125e69c107127e20e16f47c2df419afcaf44c25b1fd2d0048611e7fbd45f244d1eb2235f9759e940b18f0b000187e093e6c48961dbc4d75f65fb6883c54994c5390a0d28ca6359d2677cf75940fdec45673b22419d056759044893c65f55c93e5454d3403af8083e3f6cdc8e34eb7a44870575e015bd90137efe30b37843f47740dd59315610049207bf7c43c1677d5155763db41deabf7e3997010e3c2f080b4357dd73ec94aa26219414fd526d01082930b8ed0b3273165007b1da62d087477d41d8ead60383e493972fabbb8185f2fd8dbbdd9f8d387a20a2ddff5df43368228cd3910753555bdd939fce9b09c72a4ecdb2806595631db3c9ed3be09ecbf5c65e552ef4ca18f5e230484bb4087d283696c7d52a661ed4b590902632aa0ac45e54ff324cc0342f9619d997f22a86d546b4880409cfc28080acca7dc29fd5d6b50735aa7fbd50e56317bd5fa78fbca23cf0ea67bfafdff7e5770fb71f6eaec70a61ab85a2bac8076824ec635b55563932e4de76c73d7218dbfd83c14f7bae030851571bbbf19d387deb431e9ac029eabc8af71524ce61bfdd22288b4f4e9edfc6e2f5b3fd762f24c96f568c3dbaa18be33bcfecf384c840ca7733284c73dcaef859f9da67700c32d73b0c9f2b14e0cd2b7afbdb78eb379bf0d7f3d65f18c6690ff017d5c9fca00817818f1efab652ccfbebd727cee6fc5a589bb8faec45b00a8b8aab8fe0c84f951f165e6e375d0fce450dc2d0064d3b28c73a24ea1194cbf99447e21e0e0a921db73ddfb3c2fe8e9ac32795fbeb70f0ead8f8afc6bd26d35ebde1f9c0ffe0e2d3c8ef99f97f6111e46b7a509350abd96e72b64bee49f1eb369d6dfa5acda5e5bea2763d279c83056c40e40671e5431d279e1f9676ae1e7a982526a7f2a6d563aa8aa3004295c7f2df5483f92ff96ce0c287036733c5bb3cb95f6baca7597ed274564e184309adfde404035f29c56419c7db1ea854e0bf3c779d620f7cd7edcbcb5f2af591c69a1e36caafde0aca78d9f383f21907253d3d8cb87fb62772e294deac12189e065d7684e70b65cd91c6592dfaeff7c8b9619d9bd5092a2a5b022ba8ebe3dd2c6e0fd525f79e1ba07d5508af668681391de5aa6a0621ef2fdc7aecc0171fd8fca7f1802f1431ff3173b7d693d22997d5383fd387cb4a4bd4b4a833bd844a6daf159f0035d8577b3f574decfe7285d09b4eedad757c9a20e89fdb8f705f1b78ef04224da474e2787b5a65a21a139f63804af92ad340796883643c940b0202c50826c0190cc7091c8281a3531b65ee194681b3b2cf2fbcded3e25d2bf857c5047b38241a4e8d7b97f0efc835d4d1f3c76ed3f5a72ed74a1f9d2a4b804790e4591aa4efaef2d6cd00282f0f2f1c3de8ee05ef39a0887da9423a6050c767c8c0f73186645fa5b15cc0fc3a703ae4c84e5425ba4a5b1eea3d9d2db2d78b45cf0b6c549b4eef7798ae94159d7ff51908244fbd715ec6ed85a1408ffeb3b6167c212040e07ebc4f05fe1000d36b4c24e6d652114d3630ac71b6a5eac5b0fce4bebf2d2cbfa00bb0d5f2d548ea085ba7175d462ffa5576f4592cf7ae587c8fbd07d08234e07be5fef900fcad81f429e44170e4fed72455f74e6895cf840d79aaa8e0d48fd5f183eb54a743cfa48503cfd2aa553871ffa5c282aa2fabc7416fbe4caa2e823c0e3da7f8823489ff8fbd6fef6d1bc9f6fc7f3f8540cc0233bba2c3f7438d0b6ca3d33de3bbb7d34627330b6c9c3f8a64d1e144223da4e4c413e4bb5ffc4e5591258aa4255bb693b432408fc547b11ea77ee751e731bf6c653eb478a94b7de202bb162512a8fd2ff8a412edc4fded1e0af14edcd97d13329cb8d7497197c8947f294437ea7289acfb3478c01a5da26fcf2f5b4cc24b9ff15398dc6493d2128c74fc97d888ef204f5c96c092c7e25372099130feb18d9ff9b8f2de1167ab00b7e2dc8446a2275f6fadc9a4a3228e8726fe4725d409f5ba5384c7a3727147188955f82698639b704428438a89885f6d6fe9517c5cdabab73b73515757356f9aa2bc7a8eee50e71e4753c30c49c0d7753d7c7258813ba2e9fe0949b835a31cc37e7f2da9e12567d9b228795b49415051a7c6a8dfc25af9b7a25957f5ed7f15ab8244304c7ddf28d4ac6bb6e657b7c22854574b24a915348d4bed3056ecd3eb4d7d858bd4ce8a7dfa7bd9ea419286b534bef896024f348464476ba64afa4d199c4009ba59ab834fb443db641b2cbf93da5e35724f3f76052f915e19bc0993d911cebef6102c8ebeac8a23a235c10ff15767eec0f3ea6bfa42beed85a69dac193b25d9f6b166a01042b77f0537317edfdac473636753f7f7aee1f8ff131a4dbbc5e902964e71db6d24b12dd44a110c6a0792021477315a36376cfd208d824edd0c90de0e3f3882d545e7f85db99596c923f597141cf43a2a02f904371f3bdd05d7ef67e9187b56317fe3d7a22c569b9562797a3f5a7941138867ef59335b89776612668b65b1be3dd3838f3529e1a9c7f38a7f946379cdd7c3a3e9eecf2e21d66a19b42e0d1a60b34953de3464799b2926c7b33354649838f40d60821ba9f271e67b76b0a55d9289879ce6959a3f562ca1b32181c128238350e63b33999fda49980d9ac9fccc0c133f3019f72333f13d3bb3923c74d32d871cf995ad124cca5216eee89a875bcac6fb8b5191ba843a259cca7c0f689f93a3a0c93c4eeec6ad097842b78b54947711624cdff022ae16e54db5bce1d96f09aacd41b8813843fbfeebae54dfad2ad67a9b8287961a765d3bb24dc6add80c3c3be6b693074e0aeade326c500d3ab57ffec16b7918ee87d0385b90d3c3f13b54db8a50614d535c953c9bc9aebed00c666d757a2899c3a633f996463b589aafcb7ab6db476277558d24e5e765b366658ab581de3e6a409bf46bf19cc83ad21940ce8aa50e6e991f311ba90c76cce87e6e8661969acc8a42d30973376781c5437f0bdc762c870ad91e18c537da4dd0f93e9836d1f963621a645cc85bfcb0335ada5ec730ab7c3fe0b6c7190011c520ac3133b4526626a1139b4ee66716cb3c160520d52d589b3e0370012e1db8b5c28a30f84362ee926ceb6700d42fb309e314e763c340d6db285f1f8af53a780f089bca2cebfb56ecea6700b409fb525a5a57e53faba439a375ea19cf25cccaab38092faedeafc9897307bb026686dc45805c989a360b2c665bccce3c387db50701971bcbb27369af7971639d5967d6eccfcba2dc7c7ac15659e0fd65869b75c9d7bc79f1a75faa7ac5f0f99ea7de4f75550ae21d23355d69067e6df51d17f600b4a9111ded8800c37db03f35addd8b9b9eed5fce12d9bed57c08dbf694e15f2e31bdd54e14596f2535f4edffffac9237d2ed49b40e6384f84b9931c4afee3a205c385d48737d5aad56acc491c5db4ba3794f1f3753fa3ffea958cfac4be3dd5cb7ea279be636a97a76fdf412997c60c8a76c3122eb2875fd15bfe13559f171e2a0d47eba65cddcd9ffc2ff707b3ff3fefd1d9bd54219f3a3b022b5aa3008e58feade9c5665baa96b5ea6b7625a95c40e20e6d97f5649b36dc01052be461ba28fa001f197a20df1abbbded106ee6cdb22b1c0b8da9a4c25dda8ce481397f836fd4049b0ed0e83a6d5f34adac6a7c01e3ad7a79ee7cee8ddbb52e33e8dc511aa93226a35b64ef11f5b9c66d35cf39226af67b4ecdaeab6079c4d7689c0f871b9ac3ec232a21acbd9b2e1731d15b0621aa5c2a2269daf741a187e42a786b7ad413355d5a48d854202ea1e8188b1786b34e064261e13f061bc03731562825cec6776d22244020c288fa66a30c1f19de5adefeba3855568a5ad5d0a71e724fa0ded6c1baf4abb1e0e08c715aca9b07e3fb022fb4ee964b0e0a6e4439d5422c48bce7c147037f5d3410d2b74cd30f099c96c6e999eef723b8a2d2761705d11cd74861b4d039eb74a56fc30f391f8c650574bb6da4728991a00097827cbd1eaa171ac0227005b0f70b012051286571557e1655a176b0e10d811a6bddc0cdd989991cf0233f262c74b3d3bb46d20da96c84b5aad62639ad12886bad3e9552a2df59642d5695bcbdb5da391e85c6b2f42e850372fbaab95dc8eda6e013ffafeec45e1a4c3d511e10c2295d46d75a0f0a6302df43c934581657a59687b89c5591e43ca14ab388d6981f7304cbba3bf20f63db42d005b38328a13b0ada0d27c33c0a651c490ed0896428fe7701d8dcccc71d2284b1ce605c0987dd02df000310f4237ad872dc461bffcc121ce9e483fe2c771e4e9129b3c5226bb959a378397d9755594eb6659a4bc39cb8a26ad6e787d7bf6216ace8a4a0a6d0a0fe04f282f811ff2c44cf2ab8fb8b4c312edd80cad3036a3dccfcc2cb692cc8a22c70f21e6b528b7f575cd52dc097003719f3fcb2ebf4697fba1c8fd01086f664d59217ceb755e5a87f82b4621cc18971c656fe0078d52b64a3192cefc1050ecdc46b626e80cc627616b3b2baa17d2abd14c6e717a2b2785d6519bc96e1db75f6e787d53a4dc04da8bd9c01edda9b1f316913ffd4407f0563516c66bd1849c29d9c87c778eacc00c539f99110f23d3b652df4616e128c39bd017c5e1c073066f0e13cdfa083e9d2ccbe0b328e2dea14ae78b76a594e6af1367be9054236951bcd2d1436b49695bc12698200cd1c0d4dacb20ce9da5ffac3e46369d4d016bdfa561d9ccb1dc2431b3f17515ee99d26b0d877c3454e167b53521c6f9c50d9245b7838133b07a048aff5ba34d096ec326a07bb07c06474140b8280541045d5e29326af5745c221bc797b9b166f5155fffce73e80a928a77e5fe5d90eb82dbee533effcb9caabb4b7029ab4cd4a71f1ba8f3750c94f2ed0d6ee7d1126e030315b9da250d740621c4fcd5d5ba4aaba5b130defc74810b55bd361691458edb6387c0e1a49fcb611c4f02570fe235401cc0327035df4dcd24e48e997adc737d2f71bc18c768c7e16ae8d6ae50a563c4560ff1a33782412635d6e90344f50e85dafd3a013ced431a33028548ae255280d07e17576a63412c4a7bfca0985ed2ac8f01d9fa540f3ae5ee337a857ecd2641160d40bdc0bff60238ab600e04749f0dd44dd2e16e08359e0dc2e072bedd4108ffc0321dd670ed08187b1fe81165246ab09ab79f09708025e494a9c3cc9777d3f0e24e08d481e585517c579016a56e996fed4b697191571fe682d4820c58fa92a351e94f12ece6ac12bc6d2f345923f0d554417adb4288bc29fbafd0a61bd50ee04cf950c9a6492abe6f954f3a96eb614f27499abbfd9908801c6a0b07fd0056b5545047da2c238735bfd3d43ea952a84f427391528a383deff5e9a07176035022d2549a94bc28d9b2f837a7307bd19fde7c6360eb9aa51f2061bd9b4b14ff66705d1f602be9de2c2eef1ceba541608e233c49ca120285a4dd31c95654a7d5eccd5eb71a829cc4cb434f629ec5ba8b6786dfd49fa2be1d2ece8f6e922d715e1d05c2d25e4aa70092a61191877ed221fdb777f07baa89aa8e08c5d2660520ba5b5a0452d0d2fed42efbef9c65b782383a628747f05316f13c2f8b754150a56a78b6fbeea9bb722a74ba130322206b3c6ab2253ac22cd018812bfd02d091d35157bd4b3c262a8ae14180b0f80542a59fe3dfba7ecf90da533c46c5c55413f4032d28da21302b44e0736b8070fba40e7958c9f9ea480fad503fc8a309aef1f80806341cc9a9a7e2b9a9969b155ae8f464087926bb2e4c465121a693beff0483c9a982e97b63d12ac50fab608a335af23dbadb39a5f80feb87d9c7f7c592cfdecefe54cccce57ae65ad6ecdd0fb3ac9a15fff1a73fffb9f8dff65ffef2c38ca7efabd99f8a1f66cd92f3eb99fdc32cab4a6eecbab58845ff150118421b060f55aaf0c0ca2323d4775301f5584e3564cafe31254f6fa98f76da0919065375bb3b5a853a536552782355569c28ddcf45676eacab25177952c5427ee0b0cbe3133dd9afacd62696116a8508f2a960fcf8f953d190f587e7394fd1d157d5cf9f78ba59c350deb5fe9ac30ada180b1761859fc7bfb3296bced2f7c846d6e6b7bdff97de41972e2ac4641a48e1342430094bec75cdf9ea1ae28372b7332ec4a5ffaa3ef2fa42b5a2fb258dc5444ad0367edf9425148d39f498563679ab17be2471e44df57acdea7527a460e4094880677fe5a55c20039aa7e23d7aaca326b9949be5727e4060232c248281e932c9737c9e26e2393edccdfab375e1a2fa2a0aa0da67b66f9f5159c3563e694d7ca87fda3e40fb4a545dd7440d328767db6553556d5497ded1e48bb140db0101aa932cc0f5b003209f18b5dc5d8bcfb856af79f623f067309533641948d690caf0f217786a6ae730d283f6277034020ac55bb32afdc06b1c5c2e8ba466f5ed0be914be58b2356f80c7f4e8f94b60f4d8c3ffa779cf1c3f58643c88d234759d90fb56947b1e7399ed5b791a8521f33cc78fec24b1dc2cf35dee7889674779927a8ecf531ec6990f4b653b3ff4c5f657b678f122ceb8cfad34f7531e246e1a5a4ee2675996b2dcb17cee84b16fb969c693306596e77b61c4c224f16c3709dd204a02070eb6c02164ea16a0d813100f65fbcf58c39437eb9ff31c87335869e13840622efe8d9ed34c9503d831a4d221443fd2653f5f52cd6ea93b5ff963ce57716a8659949b516879a6c5bdd84d3c16a67960cc0fb3ad3e3c0a39687b09996f0fb3ea54df690a8fe34b2aacca42322133ed63677d27b90d7a12f4b9be272200267f82f0e37a379f9bf8b4a07860638ef8852e7d1f7a0b7447cfe98760ff5009a1d6ed444c2b5baeb0ca0faf39ae2aab736b8ddfb5f3a6e683629403b84e51e6fd0b469a14ac7a672d02369fd32f90ce5a8f2d446508e9ab0bef93d76684d9b34be5d77f89b3dd6eca74c75328b382b6c4ac916c6c52f2f0fea20fb31e298e75ce75638f4982b2e74a227b85c034140c2150410b8614f0da65ffa9cbcca8f5b4bdad052943a447b7c73de9c3a950e52740bf600afd7890988c07ae9979511cc73e7342bee54edfadd3f8c9d231d04ff51234bf27fa8df5fd847e00210052bb410578a92dac7ec1c9a2287562efdde9e85cdce8b6f21f1afd483869e7d6d872c5bfde2c973cdb05c25951ceac66f667ab991565badc64457935fbc80a2cc05fce66e72b76c5674df16fbe98d95e147a511ccc92db356fce203e569b1a29113eff5121742a54fa0920349c84d02432232b4fccc0616e94c63e4f78fe1c02a4eae521103ad2f713849e2074ef2437870a903217c45638536b2d9a11e911c2fee1512f3cc4ffa89b37655d8023f80d2fc98c3c8c09b8baad60e86a7334897a796a262ccd4cd7f3b23048932463b0541de492740cc151f51263d957701ce93b4de1496da65ca44dc3ba64a627c151eda92e4af350d4a3a308c2b54e72ec504f1908e727d49b2aee11d86e14dee975b97f4a1c32180eb9768ffa3fe9821dfcac602791312b6d9c391c477b496f84cbde96f325f97709bf3eddcb1838a63019a792fb45964ff5577aa691f5ee0fea64a9e5cc81ed0e468d47cadbf39fd5a1397b8806295b4ebbd6e45b250fadfb197b60445b72ac26f2ef38f34be39ad56cb9e4cba2595de230f3b24dcdf190d43d0f756f385ed29ffdf2fa683bf1a050016d1b1e2360a0d13ce758ba2e6e602c26638c38e55796141c0809d3a3b8bb15a2242e6d4a325df2ec8d4c33c2b38b0a67fd302acf477c888e980dfec833a383dce3e63b4a58faa1caf3adbceeddb6f9b5cada35e9ae0217689956acdcb0e56bbee429394888abda1e534b785d51827e96f2152f65be2a75af4da823de5ecb145bc09e7d53b77f7b5eb3f2b057f97988a1ab6c44b570c5911787dc6ab61238fdb56629bfe0755165ad8b0bc85e05cec81c445bcb02de56ad143852e2ec6d4a08268bda11b9f7bc733aee2e3cb3f588c771968b03a03e1951d4e1bc45665082be213a4ff1e375633ed8168416301a4dc6b8df28294dd4765318b85a1a344a1e9bc2014a7e129e067448f42cfe752dc8f632843d516dbf6379b8dd336d14dca5d4f6102068bcaacaf332e39f482f69414bd2ea30c0198a1b15e5d56ff52fac80391ceca8657c1a6f1b3b93539c11877292b9e14811ae64135c0f2e07e45c32591d309cca5c153891e746c708db92868e81b0506f22ff8f7c4b3f5554e76abbb9cdc5d9f096d240818d3a70c87d25db1d0b35db3d349ee8e3fdf585c710b3fb89312faa8c8465350942c6d5be8c0b4814899921415acc0dbd846b6424a21ba312b68a65d923c165fabe9a7de0d7ebd9e5e5c6b25c3e7b91b1357b91174bdefafb5af8b7af3c3cbfdcf207925d685d7ea8e3f48d76407409010fefbe20cfa6f026522fe2741de7fa9815a80a6bfc7569bc68ea9bae15f82a502b2f8b9ac49edbdf6a61a515da07a68dee8bafec2991df3fd32651f931a471452460b78f2b73eaeceeb388196867ed2b16e560ec1304a3bcceb7e31e06e96e3b8d67fb88127e316efc8d7f683f2b9b6d9970c85b5808868f2f42a24362c090f8b7623cd0ef96ca41316df090da445b17afc95b46f41b1b88868ce6d10efdc0bf1d7d4c38bd3ca14355c7987168dff94b4b2a45d769d4ad315238ecf6035c96ac596b1ed162dcb8f8a66665430162ba3e3be4672dde69fb439385cfd364cdc5a6c16feace29960b043a3d47ba83b35caf7c64e677e697bcb2e54b2da1633d1f739169382d54c26b7843190fc438b1cdcedb402cf1ab9d847182926101a20de93eadfd400b6a8483b15c5e7f169e20960ba79f1820583350458049c7961142727b0d2d69872543cb6a1357c192a9470685ff5e462b388cd7154ab3c0e5f8b33c52107a18a21fba009837d5075ee2fbfcd37521e2555a75db0dac70ae3ab6a60729f3435a957971f52bc3113961a621a459b3aeaab599b2b3b426f7ed355f894f8ad897f6861caafc8d0c0cf3cf46567d2c3fb23afbf1e21cdde95e964f0353497033e6c257f17791b7675738d63d1915fb7fb298304d1c9c96061124afce9440a05fe6526efb15aef262de306678bfe3a01c5705ad08e18f224ce40363340083e36fe5f25685f86f3572c3ea17f5a67cd1f0b4e6ebe6051ae9b289492a61228a8a620c5a3ded7974e71f971fd92d0278b47e0c1989eeccb97cacf030040d0cdab17a162fa5656829564fe1618da2c96b110b5654a7f030ecf321266777d5028f1f9d4652c0293cec09e7fedddc00e3879c6350f4977b663bf699e32117a6b823e01f5248ff09bc2d259c2e408c62c0c702c43c7a670f93dc8054f6b6e5ef291c13d68c62bc4e0162c6a29b2d0488316e455ec4631ec5411279b995e4b113041eb742c6e3c80e7d3fccbc34602e8f3c8759ae93f188074912c641ceb965d00e47a49d82c5c7160dee2f0a081bac2e56d4b04737c50d0796881bc6cba241a47106f1eedddcf857d5fcb4644d632c8cfb45904553e9bb776cbae4c7c5b1a7d53ceeed0a276c859d171c0b78143034b563424d1c33f4796826cc0e4c374e5de625761c7b08a711cd184230161affb899f7202f38d1f25007210d0a11b9953986acd353dda6893b39c07d270e708254866860cafabfab51a94da4f9be2117a8ae68e1d0ef9942c61c1c3e7d7b2163ce5475cb682a95f7e3c25d3e057741cccdd8c9999904411edadc76acfca9e14e75f000b81bebf609ee60793dc11d57e57ae9dce9387047e247e7e9fb75c5887d979839950cfa513133b4263133cf4d16fbb999d8419a2679cae2edb207b0bc3dae88d876f010cc1ce9f609334f98f91822a2703780a2d581667b2279cfa0b0ef12e6269352f7bd9b68b7d2ac2aae767f4d38b4a7602e747333c952c7b45d2b731c3b4c5df78e28d85d87a78769c26d070f80b9b16ed3c49d34e193267c64d1f031a2c0be4b989b4c9a724498d36a896946b5d019c53ad70c232733996b5b26f302370933cb89b23bd4e0e811aaf475bddc17f026fa7e02bcef49aed3a87ac8fef7e01a7e68f52bb1ff7d8f29a3a2c97c278f8f7eee14fac52e379324f24c97db961ba46910933d589a9b87ce3c1e07fd542f0f40bfb1be9fd0ef847e013c7af6526def817ea483759aedd7650efc2e21743279cae343a83709a16960b2d8cb4cdf73f3cccf52c709e0f2f9e410aa7a7908848ef4fd04a127087d34087d0cebe077897a93c9531e1ff5fc29d4632c3023df72cc38f41c967861ea6777a48c7a1cc151f5f200d41bebfb09f54ea8f768a8f718c6c2ef11f5e249ef40d7f7dd3b5346ed53a8f301469556b043f60578daf6534645de8e81f080e8efed9ec9f86d55cc46dcdc3f347cca38249b7eda5452cc0cad949949e8c4a693f999c5328f4501aa2c276c9df67376608a81ecc6420c1d79b9a6ea754e34bfd3d411ea75d2720c19e5a63ad20d4079084fd5eb143594bf99ea9b92a824bd22146ab0d2f2d05a77f322f2b38897879eec96523c33fca6fe143946dda372e6183d8928432afff6fde6007aced06e4ced6749fcdbbed77fe068eb9ab3a642882791336238f6882b3ec55ecb98cc7c3c3efdeb8dbdde6bc9891c008294a3e92b89c4f60546aa68edfc2922b1e17ea74750ff2bfad7158a839c22a89fa5aa26455097d50f33fea958cfdc03e2a4c716f2bb0a833e560ab1634541c3ede11405dd16fb7cad97e37cde2299bf88cc6c48fad6e57c394e8dcc5fd8b24122865eb690efbf48e691064e3194249519175526170a593064ca8fd6ef5564e2d9233cfb893aa6cb3c7bf4ea4dbd390699ec444cb7f5325528753f60ba7d00ef5268b4a1c54b23d09a2eeaafa9829a3ebd73d4786995b1422463015ffb8952d0ba1a1dfc5cd71542f5e8c353153791fea42c9af7d3cfb482ddf94eb0b265675e626779ea45569244b1ebfb7ee03a2973433fcd7c3ff3729be7491c0771e6253973dd88f9611ac6a99b38114b0c888ed8f99019b9b0fed6222da3cc1b2993787ddb453f1f3c4d5a4c77372f54c749ea16220bd96ebe973139e65b8bd98e2783183dcb71ecbbf270ee9fc8ff5e56b5fb58650f4ee4af7a0693e41ee1d9a3e623637eb2becef53c9fc81385bdf2d524f2a7956eb372d25a5326bb9134a37a6eea4b63e11e296f7f4f81ba34901394522e53676499e5b69b7411092af198446e91ad91ee90be718958e53d937e6aa71b5f4b1a7eac0bf15eb279485e257e10bbd5d3162a5e4dd988c533130989c10a9b4da2c5d648031b843961855786c8fb2743256bb6a813f26da544d5095cc8094840b99d815a4cf156da7671a99f3f5d5cddcaf72e2f9dd2f08bfdaaa6786b13ab8bbda46462ea0615f7a3a7e1b791875e2fc8e01e370dffd8790bb21562136e557390a2d85a2bc8a09204829f3c200dff683730fc273ea5443a765921a1d50484b2032904e98b8cb9e00977a7e1eff19301835c8b99cf931990581472eaa944f2d5fd12037efb59f515a3bb67567d0b27686335fce3f1b8d3f02cf4ddc0b933ab7ece36cb757356571f9755fae1aca8a44f02e8b12af3659152a9c25ea225ce33db0c63241dc9b863fa599ef856c2522bdf0a2fa5c6cda244d653d2a465bea5d8d971acf805fd30e6dbbede5daf04abd551416d9afb76723f27b110da505e946c59fc9bd376d53b45e333504a5eed6c765d00b26e789d606f1b19b208f0defe7c0b00c88bab15bb6e704b8d41b91150852163e11264b4151cc43442665ad71b3e4916de688dca01b2a0892057784d64daaf46a5ea785ba19205b61306dc86356797642233ccc2d08ce31cff618e15a641eea73057b75a1f4de97e24735060f26457414ba41a4c65e9e27c6a00348b77c6261339091974d81344523cec78d75ce4fe3516c6dfaf33a4f9ebed0e4a8c322a7dd2a7281cac79239216ff52f065d6fc03d32daeffc306ade60b496f42fee8676d12578bf2a65adef0ecb7047b590930b03841506fd66cf5509f436186511d5a5d57252fe943a42008232c1c35b0db767a637c28cacc58b42882057d08826d459cc835392b240aa96dd2a5a88929da571df18a5e9c13ead1beea424c08e5662d2dce127e5594cd622660826e085858d0df405fd8acc84285a9814c2e27a6bf53304d45dde8eb3150e885a8a2b76c638f49b200e31204f4ff585d42079b0b78c0ca1bf280a11ea85bdfef212cabb2ba7d57c3de801a3bcadfc6e345a2332b72fcf84efe5656196f3a9e869f9425b8874e7e167033b403db64a9ef9851147b51ec062c759055ad45277a1dd25bdf55300e7638da2bd893e7dba4445b76808b51bb08753aa85b7b618e6581856932345fb35e412d56a7385666ab2c40dad281272a64895c16e5e6933127fb4e9795baf7328c3fdd4da44e957bb11de2f6135acbbb9624beda2c195055934f24d35d189bb2e62c7d8f9496a0c8a147abcd9a0ae6eacfce1ccb094cdb361de78ded2dbc7881d2435f482b615723b08c3e8b74400f8465b11a027eef82659d4e869defc6965260f6c06dccb6b8891175eb241671e84eb7824377457b02a29508942faeebeaa6c8389d7300b2770d2f4f3e979d18952f5896d5bc11250e94570bd52000cc9181ed6f554364dbf77c916f2af687e7f1f74e1987f372cdeb922dcf2ff66d01e8bd60cb6595b235517457f2255fa4d71b7c06893ff8f57bbee2355b9acdbaaa89b8c5baacf8aaaa5bcb02794e63eef14ecaae595aac71530df7e16d6ae7d76dabdb93f8b2683e5c60a237f5ce448203fd8db37a9d7026f98818066e0cd72e6999a87850315bf1ab5d5e1af0e8bafc4a93f49575eae2fce557d623e40cbeed532e56e609968c1630637c55953f97d97555a054fee2b39113622df95a5d15172faa1a7f4908028f392ff34adc03a8156b9eae37356d53ec85a4aad6e72fb135f00b9c9c5ced7edf94eb62d54974828e3e002197ad98272f6e1274a37775c5d2f745c9bba6259f28af5edf366bded627ad9af395b66b1bbaf9f7bf8bf768147b9aae3529e420933e492018ab3124f79138751feea4957a13933fc98fb15e3dae2085ec23283ec71a435b7f677028a4a7828ef00f3a89627f3af353a35abc7801d21449815aac327460268c3748fe1ac078c37e53a0e208e11756ce0ffe8a0b02e70dc7fa0009a6c73f8ed1a48ef39d9fd2368e424391568a2d9f971e5aecaa19421802b0f4217fec5985fac6ff15bbf06fac79bdc9f3222d78b916bda2696a1ada644a6e9bbd67cdac691f9c89799cb11b562c89db4242115c638b6d3defc85e552f35163a3aaeb29a6545f361762d79ad3e188db73cef58ba55ba387f393a146d892ece5f0eaf0f31277d309a43d313509cfa7c2b8eb4345634b3ebaac121e58c8e33677253c0dd490a8ef032e976512725424d1442295ca242e74cab3fa191a6124bb71e57c0f26e6e0cb04dc9ad74a62958a66d39be056e8bf715cfd4b8986187619cfb71ee65b9e3db79904436e38915e589ef303f43ba0d9d7bb5cf9b78c1c41b265e317bef2806bceff33d1e6c0467b67386e20c2d27357e17b6eb99c0699ecd3024e16339ccdd816ae20e0a453867a24139552d63376eec3337380ba4c67b51579f6ebb9b1da3ea58bca134e46dc9432ad66014e3968ef118f1e8cc8a2d3bf0a1c6c3ae0cd597ec81f0f653b6288aab1bb7e46f6046ead91672cb4ecc308bb819c79c9b7e662551c8629e875b592f88d10d1964fd1d8b0759b7409cd745375192b1b7d6335dab95a6817b746f2fd3871205f6b6de13e12cda022bf8495619ec644cb16e72f8323720342ec18d358b822f2c0a6756184771fcfff118dede90587480093f1e35e10fd003cd469f1ef633e18b31aa2c7b2cf4f2d40a2917f20eb9389e19dab66f2679c44c3b49c2dc0972d762b019b516b203c8e520fbfd783f4144cd354bb140d2ab673792339fec3dcddf9dc67b122c9fc6784f9fda4f0e97565aa19cf42dc0e2ea8eb99c941f92bb8ad5d763bc970653aca7b1900bbebb92d396da2de8215d472164874871805dd98a92845a53d6facdbab5d3830ae93fa6037eafe3c15c5674047e3cd84c4febdf5ba05d99583c2609e069ccf41cc72c9f515ea8aab3c658202568f39e397e602c8c200b6cc70ef23c8b9175380ac2c8b323cf4b729e67a165311ee6beefba711e5849185abeebe5ae9d39a1657969c61de3cb97fff1df010000ffff36190149efe60100');


--
-- Data for Name: snapshots; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshots VALUES
	('f492f1dc-850c-4f63-a63f-37c82a6dd174', 'before', true, false, '2026-11-22 14:49:38.132743+00', '{"rowlock":"snapshot","format":1,"server":"v1.36.6","contents":"state","revision":99,"time":"2026-11-22T14:49:38.125761Z","committed":"2026-11-22T14:49:38.090165Z","clock":{"speed":1,"pace":1},"addresses":512}', 85, 25079);


--
-- Data for Name: wakeups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wakeups OVERRIDING SYSTEM VALUE VALUES
	(30, '2026-11-22 14:59:33+00', 22, '01a203bb-ddf0-755a-98a3-c24b9d4c31c1', 0, 'deployment', NULL),
	(73, '2026-11-22 14:50:28+00', 96, '01a203bb-5d6e-7161-ac52-88948936ac27', 0, 'nodelifecycle', NULL),
	(74, '2026-11-22 15:49:38.079899+00', 95, '01a203bb-f01b-7d8e-99ee-5d0b87a9ef7a', 0, 'fault', NULL),
	(80, '2026-11-22 14:50:03+00', 106, '01a203bb-de4a-70ca-b729-2d5d0ad4a869', 0, 'job', NULL),
	(23, '2026-11-22 15:49:00+00', 0, '00000000-0000-0000-0000-000000000003', 0, 'eventexpiry', NULL),
	(59, '2026-11-23 03:00:00+00', 66, '01a203bb-de6a-7e3a-aa7c-1a60a10a1d43', 0, 'cronjob', NULL),
	(61, '2026-11-22 14:54:29+00', 61, '01a203bb-de4c-7181-ae09-6419e12f62cd', 0, 'kubelet', NULL),
	(64, '2026-11-23 18:36:13+00', 67, '01a203bb-de4f-739a-85a6-84924c41711c', 0, 'kubelet', NULL);


--
-- Name: addresses; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.addresses', 511, true);


--
-- Name: goose_db_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.goose_db_version_id_seq', 17, true);


--
-- Name: wakeups_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wakeups_id_seq', 80, true);


--
-- Name: clock clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.clock
    ADD CONSTRAINT clock_pkey PRIMARY KEY (one);


--
-- Name: fault_counts fault_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.fault_counts
    ADD CONSTRAINT fault_counts_pkey PRIMARY KEY (uid);


--
-- Name: forks forks_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.forks
    ADD CONSTRAINT forks_id_key UNIQUE (id);


--
-- Name: forks forks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.forks
    ADD CONSTRAINT forks_pkey PRIMARY KEY (name);


--
-- Name: goose_db_version goose_db_version_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.goose_db_version
    ADD CONSTRAINT goose_db_version_pkey PRIMARY KEY (id);


--
-- Name: log log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (revision);


--
-- Name: memories memories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (uid);


--
-- Name: node_files node_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.node_files
    ADD CONSTRAINT node_files_pkey PRIMARY KEY (node, path);


--
-- Name: objects objects_name; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_name UNIQUE (resource, namespace, name);


--
-- Name: objects objects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_pkey PRIMARY KEY (uid);


--
-- Name: owners owners_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (owner, uid);


--
-- Name: quota_usage quota_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_usage
    ADD CONSTRAINT quota_usage_pkey PRIMARY KEY (quota, resource);


--
-- Name: quota_waiters quota_waiters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_waiters
    ADD CONSTRAINT quota_waiters_pkey PRIMARY KEY (namespace, controller, uid);


--
-- Name: quotas quotas_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quotas
    ADD CONSTRAINT quotas_pkey PRIMARY KEY (uid);


--
-- Name: reservations reservations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (key);


--
-- Name: resync resync_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.resync
    ADD CONSTRAINT resync_pkey PRIMARY KEY (one);


--
-- Name: revision revision_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.revision
    ADD CONSTRAINT revision_pkey PRIMARY KEY (one);


--
-- Name: selectors selectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.selectors
    ADD CONSTRAINT selectors_pkey PRIMARY KEY (uid);


--
-- Name: snapshot_pieces snapshot_pieces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshot_pieces
    ADD CONSTRAINT snapshot_pieces_pkey PRIMARY KEY (snapshot, piece);


--
-- Name: snapshots snapshots_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshots
    ADD CONSTRAINT snapshots_name_key UNIQUE (name);


--
-- Name: snapshots snapshots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (id);


--
-- Name: wakeups wakeups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wakeups
    ADD CONSTRAINT wakeups_pkey PRIMARY KEY (id);


--
-- Name: log_object; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_object ON public.log USING btree (resource, uid, revision);


--
-- Name: owners_uid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owners_uid ON public.owners USING btree (uid);


--
-- Name: quota_journal_quota; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quota_journal_quota ON public.quota_journal USING btree (quota, revision);


--
-- Name: quotas_namespace; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX quotas_namespace ON public.quotas USING btree (namespace);


--
-- Name: reservations_uid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reservations_uid ON public.reservations USING btree (uid);


--
-- Name: selectors_endpoints; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX selectors_endpoints ON public.selectors USING btree (namespace) WHERE (controller = 'endpoints'::text);


--
-- Name: selectors_namespace; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX selectors_namespace ON public.selectors USING btree (namespace);


--
-- Name: wakeups_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wakeups_due ON public.wakeups USING btree (controller, due);


--
-- Name: wakeups_object; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wakeups_object ON public.wakeups USING btree (uid, controller);


--
-- Name: wakeups_retry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wakeups_retry ON public.wakeups USING btree (retry) WHERE (retry IS NOT NULL);


--
-- PostgreSQL database dump complete
--


