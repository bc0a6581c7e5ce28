-- wake_selecting wakes the Services and PodDisruptionBudgets that select one of the label sets of
-- apply's changes, each in the namespace of its change, for the controller in _selected_by that
-- uses them. It reads under the counter, where no other transaction can change what it reads (S7).
-- Changes with the same labels share a row, whose ordinal is that of the last of them. If that one
-- is not kept, others may be, and the cause is _last, the last revision of this transaction.
--
-- Pods change by the hundred, and each sync of a Service that selects many of them may write large
-- objects: so the sync is put off for a tenth of a second, in real time, and all changes within it
-- share it.
--
-- Only apply calls it, with apply's settings, and only if something in the namespaces may select.
CREATE OR REPLACE FUNCTION wake_selecting(_rev bigint[], _last bigint, _namespace text[],
    _selected_of integer[], _selected_by text[], _selected jsonb[], OUT woken text[])
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    WITH w AS (
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (s.uid) clock_timestamp() + interval '100 ms', coalesce(_rev[c.i], _last), s.uid, 0, s.controller
        FROM unnest(_selected_of, _selected_by, _selected) AS c (i, controller, labels)
        JOIN selectors s ON s.namespace = _namespace[c.i] AND s.controller = c.controller AND c.labels @> s.match
        RETURNING controller)
    SELECT array_agg(DISTINCT w.controller) INTO woken FROM w;
END
$$;
