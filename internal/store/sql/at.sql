-- The objects of a resource at a revision: the newest version of each at or below it, without
-- tombstones. Finds these in the index log_object alone, and then probes the primary key once per
-- object. The compaction revision comes from the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT log.* FROM (
        SELECT max(o.revision) AS revision FROM log o WHERE o.resource = $1 AND o.revision <= $2 GROUP BY o.uid) AS newest
    JOIN log USING (revision)
    WHERE log.verb <> 'd' AND ($3 = '' OR log.namespace = $3)) AS l ON true
