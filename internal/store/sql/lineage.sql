-- The identity of this database, and the one that the history was written to, NULL if none is
-- recorded yet. A server that was initialised again has another system identifier, a database that
-- was created again has another oid, and a server that was promoted or recovered to a point in time
-- has another timeline, which its WAL file names begin with.
SELECT (SELECT identity FROM lineage),
    (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
        || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
