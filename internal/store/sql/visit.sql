-- What a visit finds, in a statement after the one that locks the object and so younger than the lock: one probe of memories' primary key
-- and one of that of sessions. The lock has given the transaction its number already.
SELECT cluster_now(), pg_current_xact_id()::text, (SELECT m.state FROM memories m WHERE m.uid = $1), ARRAY(SELECT s.id FROM sessions s WHERE s.pod = $1)
