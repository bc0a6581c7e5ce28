-- Makes the clock run or stand still: see migrations/functions/clock_set.sql.
SELECT outcome FROM clock_set($1, $2)
