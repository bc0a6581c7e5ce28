-- Sessions of processes that are not among those that are there: as many as there are sessions are read, from the front of the primary
-- key, until enough are found.
SELECT s.pod, s.id FROM sessions s WHERE s.replica <> ALL($1::integer[]) ORDER BY s.pod, s.id LIMIT $2
