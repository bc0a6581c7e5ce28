-- Makes the clock run or pause: see migrations/functions/clock_set.sql.
SELECT outcome FROM clock_set($1, $2)
