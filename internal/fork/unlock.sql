-- Releases that lock.
SELECT pg_advisory_unlock(hashtextextended('rowlock fork ' || $1::uuid::text, 0))
