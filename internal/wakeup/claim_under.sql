SELECT uid, ids, cause, attempt, revision, at FROM claim_under($1, $2, $3)
