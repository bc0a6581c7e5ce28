-- The revisions of all objects that existed at a revision, in order: the newest of each at or below
-- it. Walks the primary key up to it. The compaction revision and the newest revision come from the
-- same snapshot (S8).
SELECT v.compacted, v.value, h.revision
FROM revision v LEFT JOIN LATERAL (
    SELECT n.revision FROM (
        SELECT DISTINCT ON (log.resource, log.uid) log.revision, log.verb FROM log WHERE log.revision <= $1
        ORDER BY log.resource, log.uid, log.revision DESC) AS n
    WHERE n.verb <> 'd') AS h ON true
ORDER BY h.revision
