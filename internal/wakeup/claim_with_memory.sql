-- The function claim_with_memory locks what it answers; see its own text in migrations/00007_memory.sql.
SELECT uid, ids, cause, attempt, revision, at, memory FROM claim_with_memory($1, $2, $3)
