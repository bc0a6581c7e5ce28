-- apply_write writes those changes of apply that have a revision in _rev, and the rows beside the
-- objects. deleted are the objects that were deleted, NULL for none; woken says whether the garbage
-- collector must reconcile dependents of theirs.
--
-- Only apply calls it, and apply's settings hold here too: settings of its own would cost more than
-- the call.
CREATE OR REPLACE FUNCTION apply_write(
    _rev bigint[], _now timestamptz,
    _verb text[], _uid uuid[], _resource text[], _namespace text[], _name text[],
    _terminating boolean[], _cause bigint[], _writer text[], _body text[],
    _owned integer[], _owner_of integer[], _owner uuid[],
    _selector_of integer[], _selector_controller text[], _selector jsonb[],
    _reserving integer[], _reserved_of integer[], _reserved text[],
    OUT deleted uuid[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    INSERT INTO log (revision, at, cause, uid, verb, resource, namespace, name, writer, body)
    SELECT c.rev, _now, c.cause, c.uid, c.verb::"char", c.resource, c.namespace, c.name, c.writer, c.body
    FROM unnest(_rev, _cause, _uid, _verb, _resource, _namespace, _name, _writer, _body)
        AS c (rev, cause, uid, verb, resource, namespace, name, writer, body)
    WHERE c.rev IS NOT NULL;

    IF 'c' = ANY (_verb) THEN
        INSERT INTO objects (uid, revision, terminating, resource, namespace, name)
        SELECT c.uid, c.rev, c.terminating, c.resource, c.namespace, c.name
        FROM unnest(_rev, _verb, _uid, _terminating, _resource, _namespace, _name) AS c (rev, verb, uid, terminating, resource, namespace, name)
        WHERE c.verb = 'c' AND c.rev IS NOT NULL;
    END IF;
    IF 'u' = ANY (_verb) THEN
        UPDATE objects o SET revision = c.rev, terminating = c.terminating
        FROM unnest(_rev, _verb, _uid, _terminating) AS c (rev, verb, uid, terminating)
        WHERE o.uid = c.uid AND c.verb = 'u' AND c.rev IS NOT NULL;
    END IF;
    IF 'd' = ANY (_verb) THEN
        SELECT array_agg(c.uid) INTO deleted FROM unnest(_rev, _verb, _uid) AS c (rev, verb, uid) WHERE c.verb = 'd' AND c.rev IS NOT NULL;
    END IF;
    IF deleted IS NOT NULL THEN
        -- The garbage collector reconciles the dependents of deleted objects.
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT _now, d.rev, o.uid, 0, 'garbagecollector'
        FROM unnest(_rev, _verb, _uid) AS d (rev, verb, uid) JOIN owners o ON o.owner = d.uid
        WHERE d.verb = 'd' AND d.rev IS NOT NULL AND NOT o.uid = ANY (deleted);
        IF FOUND THEN
            woken := woken || 'garbagecollector'::text;
        END IF;
        DELETE FROM objects o USING unnest(deleted) AS d (uid) WHERE o.uid = d.uid;
        DELETE FROM owners o USING unnest(deleted) AS d (uid) WHERE o.uid = d.uid;
        DELETE FROM selectors s USING unnest(deleted) AS d (uid) WHERE s.uid = d.uid;
        DELETE FROM reservations v USING unnest(deleted) AS d (uid) WHERE v.uid = d.uid;
        -- A worker that decides across objects acknowledges wakeups without locking their objects;
        -- those wakeups are skipped, because that worker may be waiting for the counter.
        DELETE FROM wakeups w WHERE w.id = ANY (ARRAY(
            SELECT v.id FROM unnest(deleted) AS d (uid) JOIN wakeups v ON v.uid = d.uid FOR UPDATE OF v SKIP LOCKED));
    END IF;

    IF cardinality(_owned) > 0 THEN
        DELETE FROM owners o USING unnest(_owned) AS c (i) WHERE _rev[c.i] IS NOT NULL AND o.uid = _uid[c.i];
    END IF;
    IF cardinality(_owner_of) > 0 THEN
        INSERT INTO owners (owner, uid)
        SELECT DISTINCT c.owner, _uid[c.i] FROM unnest(_owner_of, _owner) AS c (i, owner) WHERE _rev[c.i] IS NOT NULL;
    END IF;
    IF cardinality(_reserving) > 0 THEN
        DELETE FROM reservations v USING unnest(_reserving) AS c (i) WHERE _rev[c.i] IS NOT NULL AND v.uid = _uid[c.i];
    END IF;
    IF cardinality(_reserved_of) > 0 THEN
        INSERT INTO reservations (key, uid)
        SELECT c.key, _uid[c.i] FROM unnest(_reserved_of, _reserved) AS c (i, key) WHERE _rev[c.i] IS NOT NULL;
    END IF;
    IF cardinality(_selector_of) > 0 THEN
        INSERT INTO selectors AS s (uid, namespace, controller, match)
        SELECT _uid[c.i], _namespace[c.i], c.controller, c.match
        FROM unnest(_selector_of, _selector_controller, _selector) AS c (i, controller, match) WHERE _rev[c.i] IS NOT NULL
        ON CONFLICT (uid) DO UPDATE SET controller = excluded.controller, match = excluded.match;
    END IF;
END
$$;
