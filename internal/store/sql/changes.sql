-- A page of the changes of one resource after a revision, each with the version before it, which
-- watches with a selector and tombstones need. Walks the log by its primary key, past the changes
-- of other resources; the version before comes from log_object. The compaction revision comes from
-- the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body,
    p.revision, p.at, p.body
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM log WHERE log.revision > $2 AND log.resource = $1 ORDER BY log.revision LIMIT $3) AS l ON true
LEFT JOIN LATERAL (
    SELECT * FROM log b WHERE b.resource = l.resource AND b.uid = l.uid AND b.revision < l.revision
    ORDER BY b.revision DESC LIMIT 1) AS p ON true
ORDER BY l.revision
