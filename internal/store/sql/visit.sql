-- What a visit reads, in a statement after the one that locks the object and so in a snapshot
-- younger than the lock: one probe of the primary key of memories and one of that of sessions. The
-- lock has already assigned the transaction its number.
SELECT cluster_now(), pg_current_xact_id()::text, (SELECT m.state FROM memories m WHERE m.uid = $1), ARRAY(SELECT s.id FROM sessions s WHERE s.pod = $1)
