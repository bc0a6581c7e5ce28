-- The function claim_under locks one row instead of the objects: see migrations/functions/claim_under.sql.
SELECT uid, ids, cause, attempt, revision, at, NULL::bytea AS memory FROM claim_under($1, $2, $3)
