-- What there was of a resource at a revision: of each object the newest version at or below it, tombstones left out. Finds these in the index
-- log_object, without the rows, and probes the primary key once an object. The compaction revision is of the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT log.* FROM (
        SELECT max(o.revision) AS revision FROM log o WHERE o.resource = $1 AND o.revision <= $2 GROUP BY o.uid) AS newest
    JOIN log USING (revision)
    WHERE log.verb <> 'd' AND ($3 = '' OR log.namespace = $3)) AS l ON true
