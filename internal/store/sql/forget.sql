-- A page of the memories in the order of the primary key, of which those go whose object is gone: removals by clients leave
-- them behind. A worker that writes one holds the lock of its object, which is therefore there: nobody is waited for.
WITH page AS MATERIALIZED (
    SELECT uid FROM memories WHERE uid > $1 ORDER BY uid LIMIT $2),
gone AS (
    DELETE FROM memories m USING page p WHERE m.uid = p.uid AND NOT EXISTS (SELECT FROM objects o WHERE o.uid = p.uid))
SELECT count(*), max(uid::text)::uuid FROM page
