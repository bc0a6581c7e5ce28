-- The outcome of a visit's transaction, by its number, and whether the memory is the one that it
-- wrote: a probe of the primary key. After a crash, PostgreSQL reuses numbers that it had not
-- written to disk, so the number alone is not enough.
SELECT coalesce(pg_xact_status($2::text::xid8), ''), EXISTS (SELECT FROM memories m WHERE m.uid = $1 AND m.xmin = ($2::text::xid8)::xid)
