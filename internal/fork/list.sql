-- All forks. expires is in this server's time.
SELECT id, name, state, database, origin, revision, created, expires, expires - clock_timestamp() FROM forks ORDER BY name
