-- What differs between two revisions, $2 < $3: for each object of a resource that changed in
-- between, its newest version at or below $4. Walks the primary key between the two, and probes
-- log_object once per object. The compaction revision comes from the same snapshot (S8).
SELECT v.compacted, v.value, c.namespace, c.name, c.uid, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT DISTINCT ON (log.uid) log.uid, log.namespace, log.name FROM log
    WHERE log.revision > $2 AND log.revision <= $3 AND log.resource = $1 AND ($5 = '' OR log.namespace = $5)) AS c ON true
LEFT JOIN LATERAL (
    SELECT * FROM log b WHERE b.resource = $1 AND b.uid = c.uid AND b.revision <= $4 ORDER BY b.revision DESC LIMIT 1) AS l ON l.verb <> 'd'
