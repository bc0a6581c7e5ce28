-- The one row of the clock, with the time by it at this moment.
SELECT cluster_now(), speed, pace, version, advance, advance_from, advance_to, advance_ended, advance_steps, resumes FROM clock
