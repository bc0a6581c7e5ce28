-- The sessions of replicas and their forks, and how many of them hold a transaction in which nothing has happened for ten seconds.
SELECT count(*), count(*) FILTER (WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '10 s')
FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name LIKE 'rowlock%'
