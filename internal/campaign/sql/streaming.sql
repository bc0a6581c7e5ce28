-- Whether a standby has all that is acknowledged: 'sync' once commits wait for it, 'async' as long as they do not.
SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1
