-- A hint to whoever listens, outside of any transaction that holds the counter: NOTIFY takes a lock that all commits of
-- notifying transactions wait for (S10).
SELECT pg_notify($1, $2)
