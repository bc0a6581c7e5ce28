-- Ends the advance under way: see the function's own text in migrations/00008_clock.sql.
SELECT outcome FROM clock_interrupt()
