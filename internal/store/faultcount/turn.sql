-- The next turn of a fault whose hits are drawn, unless it has had $2 hits (0: no limit). Its row
-- stays locked until the transaction has decided whether this was a hit.
INSERT INTO fault_counts AS c (uid, seen, hits)
SELECT o.uid, 1, 0 FROM objects o WHERE o.uid = $1
ON CONFLICT (uid) DO UPDATE SET seen = c.seen + 1 WHERE $2::bigint = 0 OR c.hits < $2::bigint
RETURNING c.seen, c.hits
