-- apply_wake wakes the controllers that must reconcile those changes of apply that have a revision
-- in _rev: workloads that may select a Pod by its old or its new labels, and those that the caller
-- names, by uid or by name. It reads under the counter, where no other transaction can change what
-- it reads: waking too many is fine, missing one is not (S7).
--
-- Only apply calls it, and apply's settings hold here too: settings of its own would cost more than
-- the call.
CREATE OR REPLACE FUNCTION apply_wake(
    _rev bigint[], _now timestamptz, _uid uuid[], _namespace text[], _cause bigint[],
    _label_of integer[], _labels jsonb[],
    _wake_of integer[], _wake_controller text[], _wake_uid uuid[], _wake_resource text[], _wake_namespace text[], _wake_name text[],
    _wake_due timestamptz[], _wake_terminating boolean[], _controller text,
    OUT woken text[])
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    IF cardinality(_label_of) > 0 THEN
        WITH w AS (
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT DISTINCT ON (s.uid) _now, _rev[c.i], s.uid, 0, s.controller
            FROM unnest(_label_of, _labels) AS c (i, labels) JOIN selectors s ON s.namespace = _namespace[c.i] AND c.labels @> s.match AND NOT s.controller = ANY ('{endpoints,disruption}')
            WHERE _rev[c.i] IS NOT NULL
            RETURNING controller)
        SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
    END IF;
    IF cardinality(_wake_of) > 0 THEN
        WITH w AS (
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT coalesce(c.due, _now), c.rev, o.uid, 0, c.controller
            FROM (
                SELECT w.controller, w.uid, w.due, w.terminating,
                    max(CASE WHEN w.controller = _controller AND w.uid = _uid[w.i] AND _cause[w.i] <> 0 THEN greatest(_cause[w.i], 0) ELSE _rev[w.i] END) AS rev
                FROM unnest(_wake_of, _wake_controller, _wake_uid, _wake_due, _wake_terminating) AS w (i, controller, uid, due, terminating)
                WHERE w.uid IS NOT NULL AND _rev[w.i] IS NOT NULL
                GROUP BY w.controller, w.uid, w.due, w.terminating) AS c
            JOIN objects o ON o.uid = c.uid
            WHERE o.terminating OR NOT c.terminating
            RETURNING controller)
        SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
    END IF;
    IF cardinality(array_remove(_wake_name, NULL)) > 0 THEN
        WITH w AS (
            INSERT INTO wakeups (due, cause, uid, attempt, controller)
            SELECT coalesce(c.due, _now), c.rev, o.uid, 0, c.controller
            FROM (
                SELECT w.controller, w.resource, w.namespace, w.name, w.due, w.terminating, max(_rev[w.i]) AS rev
                FROM unnest(_wake_of, _wake_controller, _wake_resource, _wake_namespace, _wake_name, _wake_due, _wake_terminating)
                    AS w (i, controller, resource, namespace, name, due, terminating)
                WHERE w.name IS NOT NULL AND _rev[w.i] IS NOT NULL
                GROUP BY w.controller, w.resource, w.namespace, w.name, w.due, w.terminating) AS c
            JOIN objects o ON o.resource = c.resource AND o.namespace = c.namespace AND o.name = c.name
            WHERE o.terminating OR NOT c.terminating
            RETURNING controller)
        SELECT woken || array_agg(DISTINCT w.controller) INTO woken FROM w;
    END IF;
END
$$;
