-- Begins an advance: see migrations/functions/clock_advance.sql.
SELECT outcome FROM clock_advance($1, $2)
