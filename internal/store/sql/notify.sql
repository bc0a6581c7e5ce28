-- A hint to all listeners, outside of any transaction that holds the counter: NOTIFY takes a lock
-- that all commits of notifying transactions wait for (S10).
SELECT pg_notify($1, $2)
