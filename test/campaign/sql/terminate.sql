-- Ends the session of a replica that has waited longest for its turn, or any other if all of those
-- have been ended.
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name LIKE 'rowlock%'
ORDER BY state_change DESC LIMIT 1
