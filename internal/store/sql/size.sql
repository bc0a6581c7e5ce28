-- How many bytes the database takes on the disk, indexes and dead rows included, the server's WAL not.
SELECT pg_database_size(current_database())
