-- Asks a controller to sync an object by a time, unless a wakeup already does: a probe of
-- wakeups_object. The caller holds the object's lock, so that the object cannot be deleted
-- meanwhile (S6) and no worker has claimed it.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
SELECT $3, $4, $1, 0, $2
WHERE NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = $1 AND w.controller = $2 AND (w.due <= $3 OR w.retry IS NOT NULL))
