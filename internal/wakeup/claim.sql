-- The function claim locks what it answers; see its own text in migrations/00003_claim.sql.
SELECT uid, ids, cause, attempt, revision, at FROM claim($1, $2)
