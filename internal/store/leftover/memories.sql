-- Reads a page of the memories in primary key order, and deletes those whose object is gone:
-- removals by clients leave them behind. A worker that writes a memory holds the lock of its
-- object, which therefore exists: nothing waits.
WITH page AS MATERIALIZED (
    SELECT uid FROM memories WHERE uid > $1 ORDER BY uid LIMIT $2),
gone AS (
    DELETE FROM memories m USING page p WHERE m.uid = p.uid AND NOT EXISTS (SELECT FROM objects o WHERE o.uid = p.uid))
SELECT count(*), max(uid::text)::uuid FROM page
