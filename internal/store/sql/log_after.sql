-- What is newer than a revision. Contiguous by S3: compaction leaves gaps only below `compacted`.
-- The same snapshot gives `compacted` (S8), and whether the revision exists at all (S12).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM log WHERE log.revision > $1 ORDER BY log.revision LIMIT $2) AS l ON true
