-- The syncs that have failed and will be retried, most failures first, and how many there are.
-- Served by wakeups_retry, which holds nothing else. Two replicas may have failed at the same sync.
SELECT f.retry, f.controller, o.resource, o.namespace, o.name, f.attempt, count(*) OVER ()
FROM (
    SELECT w.uid, w.controller, min(w.retry) AS retry, max(w.attempt) AS attempt FROM wakeups w
    WHERE w.retry IS NOT NULL AND w.attempt > 0 GROUP BY w.uid, w.controller) AS f
JOIN objects o ON o.uid = f.uid
ORDER BY f.attempt DESC, f.retry LIMIT $1
