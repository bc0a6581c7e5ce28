-- +goose Up

-- apply makes one transaction of many changes (S1 to S4). The arrays of changes stand side by side, one element a change;
-- those of owners, selectors, reservations, labels and wakes name the change they belong to by its ordinal, counted from 1.
--
--   1. The heads of what is to be updated or deleted are locked, skipping locked ones: nothing is waited for (S2).
--   2. The wakeups that the caller has seen are acknowledged.
--   3. The counter is locked: the only wait. Whoever holds it waits for nothing.
--   4. Under the counter, in new statements and so in new snapshots, what a row lock cannot hold is rechecked: the
--      name is free, the namespace is there and not terminating, no other object holds an address or a port.
--   5. What passed is numbered and written; those who must look at it are woken.
--
-- outcomes holds one letter a change: k kept · x name taken · n no such namespace · t namespace terminating · b busy ·
-- m moved on · g gone · r reserved by another · s skipped, as the change it needs was not kept. The kept changes have the revisions
-- last - kept + 1 … last, in order. heads holds the current revision of every change that moved on.
-- +goose StatementBegin
CREATE FUNCTION apply(
    _verb text[], _uid uuid[], _resource text[], _namespace text[], _name text[], _base bigint[],
    _terminating boolean[], _needs integer[], _plan uuid[], _cause bigint[], _writer text[], _body json[],
    _owned integer[], _owner_of integer[], _owner uuid[],
    _selector_of integer[], _selector_controller text[], _selector jsonb[],
    _reserving integer[], _reserved_of integer[], _reserved text[],
    _label_of integer[], _labels jsonb[],
    _wake_of integer[], _wake_controller text[], _wake_uid uuid[], _wake_resource text[], _wake_name text[], _wake_due timestamptz[], _wake_terminating boolean[],
    _controller text, _acks bigint[], _again uuid[], _again_due timestamptz[], _again_attempt integer[],
    OUT outcomes text, OUT last bigint, OUT at timestamptz, OUT heads bigint[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
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
        IF outcome[i] = 'k' THEN
            last := last + 1;
            rev[i] := last;
            IF _resource[i] = 'namespaces' AND (_terminating[i] OR _verb[i] = 'd') THEN
                ending := ending || _name[i];
            END IF;
        ELSIF outcome[i] IN ('b', 'm', 'g', 'x', 'r', 't') AND _plan[i] IS NOT NULL THEN
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
            SELECT now_, last, o.uid, 0, 'garbagecollector'
            FROM unnest(deleted) AS d (uid) JOIN owners o ON o.owner = d.uid
            WHERE NOT o.uid = ANY (deleted);
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
                FROM unnest(_label_of, _labels) AS c (i, labels) JOIN selectors s ON s.namespace = _namespace[c.i] AND c.labels @> s.match
                WHERE rev[c.i] IS NOT NULL
                RETURNING controller)
            SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
        END IF;
        IF cardinality(_wake_of) > 0 THEN
            WITH w AS (
                INSERT INTO wakeups (due, cause, uid, attempt, controller)
                SELECT coalesce(c.due, now_), c.rev, o.uid, 0, c.controller
                FROM (
                    SELECT w.controller, w.uid, w.due, w.terminating, max(rev[w.i]) AS rev
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

        UPDATE revision v SET value = apply.last, at = now_;
    END IF;

    -- The looks to take again: those the caller asks for, and those of plans of which a change was left out, after a
    -- pause of 15 ms in real time: whoever is in the way does not wait for the cluster's clock.
    IF cardinality(_again) > 0 THEN
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT a.due, last, o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt) AS a (uid, due, attempt) JOIN objects o ON o.uid = a.uid;
    END IF;
    IF retry THEN
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) now_ + interval '15 ms' * (SELECT speed FROM clock), last, o.uid, 0, _controller
        FROM unnest(outcome, _plan) AS c (outcome, plan) JOIN objects o ON o.uid = c.plan
        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't');
    END IF;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION apply;
