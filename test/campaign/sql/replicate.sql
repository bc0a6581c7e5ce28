-- Settings that a standby inherits with its copy: it retries at once, and both sides notice within
-- seconds that the other is gone.
ALTER SYSTEM SET wal_retrieve_retry_interval = '200ms';
ALTER SYSTEM SET wal_receiver_timeout = '5s';
ALTER SYSTEM SET wal_sender_timeout = '5s';
ALTER SYSTEM SET wal_keep_size = '2GB';
SELECT pg_reload_conf();
