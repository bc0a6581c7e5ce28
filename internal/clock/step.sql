-- The next step of the advance under way: see the function's own text in migrations/00008_clock.sql.
SELECT outcome, now, speed, version, woken FROM clock_step($1)
