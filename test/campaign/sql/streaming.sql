-- Whether a standby has everything that is acknowledged: 'sync' once commits wait for it, 'async'
-- while they do not.
SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1
