-- All looks that are asked for, by objects that are there and by locks.
SELECT w.controller, w.uid, w.due, w.attempt, w.cause FROM wakeups w JOIN objects o ON o.uid = w.uid ORDER BY w.id
