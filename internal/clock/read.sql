-- The one row of the clock, with the time by it at this moment.
SELECT cluster_now(), speed FROM clock
