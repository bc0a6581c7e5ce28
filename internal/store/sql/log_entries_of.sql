-- The changes of one object after one revision, up to another, without bodies: one probe of
-- log_object for each resource that the object may belong to. The compaction revision comes from
-- the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.writer, l.cause
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM log
    WHERE log.resource = ANY ($3) AND log.uid = $4 AND log.revision > $1 AND log.revision <= $2
      AND ($5 = '' OR log.namespace = $5) AND ($6 = '' OR log.name = $6)
      AND (NOT $9 OR log.cause = 0) AND ($10 = '' OR log.verb::text = $10)
    ORDER BY CASE WHEN $7 THEN -log.revision ELSE log.revision END LIMIT $8) AS l ON true
ORDER BY CASE WHEN $7 THEN -l.revision ELSE l.revision END
