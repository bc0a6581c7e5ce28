-- Has a controller sync an object by a time, if nothing has it done by then already: a probe of wakeups_object. The caller holds the
-- object's lock, so that it does not go at the same time (S6), and no worker has it claimed.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
SELECT $3, $4, $1, 0, $2
WHERE NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = $1 AND w.controller = $2 AND (w.due <= $3 OR w.retry IS NOT NULL))
