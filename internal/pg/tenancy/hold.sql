-- Holds the lock of the database $1 until the session ends.
SELECT pg_advisory_lock(hashtextextended($1, 0))
