-- The one row of the clock, with its time at this moment, and how long until the last change takes
-- effect.
SELECT cluster_now(), anchor_real - clock_timestamp(), speed, pace, version, advance, advance_from, advance_to, advance_ended, advance_steps, resumes FROM clock
