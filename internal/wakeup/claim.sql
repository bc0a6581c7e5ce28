SELECT uid, ids, cause, attempt, revision, at FROM claim($1, $2)
