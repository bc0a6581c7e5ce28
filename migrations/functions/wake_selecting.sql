-- wake_selecting wakes the Services and the PodDisruptionBudgets that select one of the label sets, each in its namespace, for the
-- controller in _selecting that goes by them, and the objects that are named. It stands behind apply in its transaction, and takes the
-- counter as that does (S6, S7).
--
-- Pods change by the hundred, and with each sync of a Service that selects many of them large objects may be written: so the sync
-- is put off for a tenth of a second, in real time, which all changes within it share.
CREATE OR REPLACE FUNCTION wake_selecting(_selecting text[], _namespace text[], _labels jsonb[],
    _resource text[], _in text[], _name text[], _controller text[],
    _selected uuid[], _changed uuid[], _changed_resource text[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
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
        FROM unnest(_selecting, _namespace, _labels, _selected) AS c (controller, namespace, labels, uid)
        JOIN selectors s ON s.controller = c.controller AND s.namespace = c.namespace AND c.labels @> s.match
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
