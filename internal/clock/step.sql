-- The next step of the advance under way: see migrations/functions/clock_step.sql.
SELECT outcome, now, speed, version, woken FROM clock_step($1)
