-- Takes a name for a new snapshot, unless there are too many.
INSERT INTO snapshots (id, name, passing) SELECT $1, $2, $3
WHERE (SELECT count(*) FROM snapshots) < $4
