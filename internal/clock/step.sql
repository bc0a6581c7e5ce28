-- The next step of the current advance: see migrations/functions/clock_step.sql.
SELECT outcome, now, speed, version, woken FROM clock_step($1)
