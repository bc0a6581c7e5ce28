-- Ends the advance under way: see migrations/functions/clock_interrupt.sql.
SELECT outcome FROM clock_interrupt()
