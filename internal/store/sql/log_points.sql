-- The commit times of $1 revisions, spread evenly from the oldest retained to the newest; where one
-- is missing, of the next that exists. Each is one probe of the primary key.
SELECT greatest(v.compacted, least(v.value, 1)), v.value, CASE WHEN v.value > 0 THEN v.at END, l.revision, l.at
FROM revision v LEFT JOIN LATERAL (
    SELECT DISTINCT n.revision, n.at FROM generate_series(0, $1 - 1) AS i, LATERAL (
        SELECT log.revision, log.at FROM log WHERE log.revision >= v.compacted + (v.value - v.compacted) * i / greatest($1 - 1, 1)
        ORDER BY log.revision LIMIT 1) AS n) AS l ON true
ORDER BY l.revision
