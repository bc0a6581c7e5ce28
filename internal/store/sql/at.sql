-- What there was of a resource at a revision: of each object the newest version at or below it, tombstones left out.
-- Walks the index log_object in its order, one object after another. The compaction revision is of the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM (
        SELECT DISTINCT ON (log.uid) * FROM log
        WHERE log.resource = $1 AND log.revision <= $2
        ORDER BY log.uid, log.revision DESC) AS newest
    WHERE newest.verb <> 'd' AND ($3 = '' OR newest.namespace = $3)) AS l ON true
