-- The controllers that have work now: due wakeups by one probe of wakeups_due per controller,
-- retries by wakeups_retry, which is almost empty.
SELECT d.controller FROM cluster_now() AS n, next_due() AS d WHERE d.due <= n
UNION
(SELECT w.controller FROM wakeups w WHERE w.retry <= statement_timestamp() ORDER BY w.retry LIMIT 100)
