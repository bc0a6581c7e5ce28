-- Sessions of processes that are not present: reads the sessions from the front of the primary key
-- until enough are found.
SELECT s.pod, s.id FROM sessions s WHERE s.replica <> ALL($1::integer[]) ORDER BY s.pod, s.id LIMIT $2
