-- All forks. expires is in the time of this server.
SELECT id, name, state, database, origin, revision, created, expires, expires - clock_timestamp() FROM forks ORDER BY name
