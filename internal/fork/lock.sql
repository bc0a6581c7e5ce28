-- The lock of the process that makes or removes a fork; it is released with the session.
SELECT pg_try_advisory_lock(hashtextextended('rowlock fork ' || $1::uuid::text, 0))
