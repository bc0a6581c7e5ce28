-- The function claim_under locks one row instead of the objects; see its own text in migrations/00003_claim.sql.
SELECT uid, ids, cause, attempt, revision, at FROM claim_under($1, $2, $3)
