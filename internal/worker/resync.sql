-- The next page of the resync, if it is time for it: see the function's own text in migrations/00006_resync.sql.
SELECT wait, woken FROM resync($1, $2, $3, $4, $5, $6)
