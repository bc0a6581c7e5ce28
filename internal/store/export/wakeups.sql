-- All wakeups of existing objects and of locks. Objects that wait for room in a quota are synced
-- after the load.
SELECT w.controller, w.uid, w.due, w.attempt, w.cause
FROM (SELECT w.controller, w.uid, w.due, w.attempt, w.cause, w.id FROM wakeups w
      UNION ALL
      SELECT q.controller, q.uid, cluster_now(), 0, 0, NULL FROM quota_waiters q) AS w
JOIN objects o ON o.uid = w.uid ORDER BY w.id
