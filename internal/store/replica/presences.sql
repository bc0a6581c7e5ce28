-- The processes that are present: those that hold a lock of the class; see present.sql. It reads
-- the lock table, not the data.
SELECT DISTINCT l.objid::bigint
FROM pg_locks l
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 AND l.classid::bigint = $1
  AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
