-- The controllers that have work now: what is due by one probe of wakeups_due a controller, what is to be retried by wakeups_retry, which is
-- all but empty.
SELECT d.controller FROM cluster_now() AS n, next_due() AS d WHERE d.due <= n
UNION
(SELECT w.controller FROM wakeups w WHERE w.retry <= statement_timestamp() ORDER BY w.retry LIMIT 100)
