-- How long, in real time, until a controller's next sync that was put off. Walks wakeups_retry,
-- which holds nothing else; the controller is compared in a way that rules out wakeups_due.
SELECT w.retry - clock_timestamp() FROM wakeups w WHERE w.controller || '' = $1 AND w.retry IS NOT NULL ORDER BY w.retry LIMIT 1
