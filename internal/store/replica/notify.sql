-- A hint to all listeners, outside of any transaction that holds the counter: NOTIFY takes a lock
-- that all commits of notifying transactions wait for (S10). Its commit waits for no disk: a hint
-- that a crash of the database loses had no receiver, as all connections are lost too.
SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)
