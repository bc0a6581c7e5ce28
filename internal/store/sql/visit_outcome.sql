-- What became of the transaction of a visit, by its number, and whether the memory is the one that it wrote: a probe of the primary key.
-- After a crash of PostgreSQL numbers that it has not written down yet are given out again, so the number alone does not tell.
SELECT coalesce(pg_xact_status($2::text::xid8), ''), EXISTS (SELECT FROM memories m WHERE m.uid = $1 AND m.xmin = ($2::text::xid8)::xid)
