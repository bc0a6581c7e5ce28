-- The lock of who makes or removes a fork; it goes with the session.
SELECT pg_try_advisory_lock(hashtextextended('rowlock fork ' || $1::uuid::text, 0))
