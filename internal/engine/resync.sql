-- The next page of the resync, if it is time: see migrations/functions/resync.sql.
SELECT wait, woken FROM resync($1, $2, $3, $4, $5, $6)
