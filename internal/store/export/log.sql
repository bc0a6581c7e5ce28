-- A page of the log after one revision, up to another. The compaction revision and the newest
-- revision come from the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb::text, l.resource, l.namespace, l.name, l.writer, l.cause, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM log WHERE log.revision > $1 AND log.revision <= $2 ORDER BY log.revision LIMIT $3) AS l ON true
ORDER BY l.revision
