-- The looks that have failed and will be taken again, those that failed most often first, and how many there are. Served by
-- wakeups_retry, which holds nothing else.
SELECT w.retry, w.controller, o.resource, o.namespace, o.name, w.attempt, count(*) OVER ()
FROM wakeups w JOIN objects o ON o.uid = w.uid
WHERE w.retry IS NOT NULL AND w.attempt > 0
ORDER BY w.attempt DESC, w.retry LIMIT $1
