-- The function claim locks what it returns: see migrations/functions/claim.sql.
SELECT uid, ids, cause, attempt, revision, at, memory FROM claim($1, $2, $3)
