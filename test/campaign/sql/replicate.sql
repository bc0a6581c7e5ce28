-- Settings that a standby inherits with its copy: it retries at once, and both sides notice within
-- 20 seconds that the other is gone. A shorter timeout would part them on a busy machine, and commits
-- would wait.
ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms';
ALTER SYSTEM SET wal_receiver_timeout = '20s';
ALTER SYSTEM SET wal_sender_timeout = '20s';
ALTER SYSTEM SET wal_keep_size = '2GB';
SELECT pg_reload_conf();
