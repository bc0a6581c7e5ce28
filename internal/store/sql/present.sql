-- Says that a process is there, for as long as its connection is: a lock that all may share and nobody waits for.
SELECT pg_advisory_lock_shared($1, $2)
