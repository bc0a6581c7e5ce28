-- The one row of the clock, with the time by it at this moment, and how long it is until the last change takes effect.
SELECT cluster_now(), anchor_real - clock_timestamp(), speed, pace, version, advance, advance_from, advance_to, advance_ended, advance_steps, resumes FROM clock
