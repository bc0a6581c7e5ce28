-- Ends the current advance: see migrations/functions/clock_interrupt.sql.
SELECT outcome FROM clock_interrupt()
