-- Takes a name for a new fork, unless there are too many. The database gets a name that no other
-- has had.
INSERT INTO forks (id, name, state, origin, revision, database, expires)
SELECT $1::uuid, $2, 'making', $3, 0, left(current_database(), 20) || '_fork_' || replace($1::uuid::text, '-', ''), clock_timestamp() + $4::interval
WHERE (SELECT count(*) FROM forks) < $5
RETURNING database
