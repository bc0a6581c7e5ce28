-- hold.sql, if no session has the lock.
SELECT pg_try_advisory_lock(hashtextextended($1, 0))
