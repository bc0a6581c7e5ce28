-- When each controller's next work is due, and whether that is now: due wakeups by one probe of
-- wakeups_due per controller, retries by wakeups_retry, which is almost empty.
SELECT d.controller, d.due, d.due <= n FROM cluster_now() AS n, next_due() AS d WHERE d.due IS NOT NULL
UNION ALL
(SELECT w.controller, w.retry, true FROM wakeups w WHERE w.retry <= statement_timestamp() ORDER BY w.retry LIMIT 100)
