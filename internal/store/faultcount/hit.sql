-- One more hit of a fault that still exists, unless it has had $2 of them (0: no limit). The row's
-- lock orders all replicas.
INSERT INTO fault_counts AS c (uid, seen, hits)
SELECT o.uid, 1, 1 FROM objects o WHERE o.uid = $1
ON CONFLICT (uid) DO UPDATE SET seen = c.seen + 1, hits = c.hits + 1 WHERE $2::bigint = 0 OR c.hits < $2::bigint
RETURNING c.seen, c.hits
