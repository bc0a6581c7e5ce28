-- apply_again queues what apply's controller must reconcile again: what the caller asks for, and
-- the objects whose plans had a change left out. The latter wait for 15 ms in real time, because
-- the transactions in the way do not wait for the cluster's clock.
--
-- Only apply calls it, and apply's settings hold here too: settings of its own would cost more than
-- the call.
CREATE OR REPLACE FUNCTION apply_again(
    _outcome text[], _plan uuid[], _cause bigint[], _retry boolean, _controller text,
    _again uuid[], _again_due timestamptz[], _again_attempt integer[], _again_cause bigint[]) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    IF cardinality(_again) > 0 THEN
        INSERT INTO wakeups (due, retry, cause, uid, attempt, controller)
        SELECT a.due, CASE WHEN a.due IS NULL THEN clock_timestamp() + back_off(a.attempt) END, greatest(a.cause, 0), o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt, _again_cause) AS a (uid, due, attempt, cause) JOIN objects o ON o.uid = a.uid
        -- If an earlier wakeup asks for the same time, no second one is inserted: the object's lock
        -- is held.
        WHERE a.due IS NULL OR NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = a.uid AND w.controller || '' = _controller AND w.due + interval '0' = a.due);
    END IF;
    IF _retry THEN
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), greatest(c.cause, 0), o.uid, 0, _controller
        FROM unnest(_outcome, _plan, _cause) AS c (outcome, plan, cause) JOIN objects o ON o.uid = c.plan
        WHERE c.outcome IN ('b', 'm', 'g', 'x', 'r', 't', 'q', 'v');
    END IF;
END
$$;
