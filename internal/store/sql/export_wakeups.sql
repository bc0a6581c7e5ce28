-- All looks that are asked for, by objects that are there and by locks. Who waits for room in a quota looks again when that is loaded.
SELECT w.controller, w.uid, w.due, w.attempt, w.cause
FROM (SELECT w.controller, w.uid, w.due, w.attempt, w.cause, w.id FROM wakeups w
      UNION ALL
      SELECT q.controller, q.uid, cluster_now(), 0, 0, NULL FROM quota_waiters q) AS w
JOIN objects o ON o.uid = w.uid ORDER BY w.id
