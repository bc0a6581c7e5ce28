SELECT wait, woken FROM resync($1, $2, $3, $4, $5, $6)
