-- The matching changes after one revision, up to another, without bodies: a walk of the primary key
-- backwards, whose length the caller bounds. The compaction revision comes from the same snapshot
-- (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.writer, l.cause
FROM revision v LEFT JOIN LATERAL (
    SELECT * FROM log
    WHERE log.revision > $1 AND log.revision <= $2
      AND ($3::text[] IS NULL OR log.resource = ANY ($3)) AND ($4 = '' OR log.namespace = $4) AND ($5 = '' OR log.name = $5)
      AND (NOT $7 OR log.cause = 0) AND ($8 = '' OR log.verb::text = $8)
    ORDER BY log.revision DESC LIMIT $6) AS l ON true
ORDER BY l.revision DESC
