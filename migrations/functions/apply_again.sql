-- apply_again queues what the controller of apply is to reconcile again: what the caller asks for, and the objects of plans of
-- which a change was left out. Those wait for 15 ms in real time, as whoever is in the way does not wait for the cluster's clock.
--
-- It is called by apply alone, whose settings hold here as well: settings of its own would cost more than the call.
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
        -- What an earlier wakeup asks for at the same time is not asked for twice: the object's lock is held.
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
