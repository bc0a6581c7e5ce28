-- Makes the clock run or stand still: see the function's own text in migrations/00008_clock.sql.
SELECT outcome FROM clock_set($1, $2)
