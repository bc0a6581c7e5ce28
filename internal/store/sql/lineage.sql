-- Which database this is, besides what the history says it was written to, NULL where nothing says so yet. A server that was initialised
-- anew has another system identifier, a database that was made anew another oid, and a server that was promoted or recovered
-- to a point in time another timeline, with which the names of its WAL files begin.
SELECT (SELECT identity FROM lineage),
    (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
        || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
