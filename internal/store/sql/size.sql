-- How many bytes the database takes on disk, including indexes and dead rows, but not the server's
-- WAL.
SELECT pg_database_size(current_database())
