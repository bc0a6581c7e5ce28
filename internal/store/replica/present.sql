-- Shows that a process is present, for as long as its connection lives: a shared lock, so nothing
-- waits for it.
SELECT pg_advisory_lock_shared($1, $2)
