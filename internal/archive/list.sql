-- The stored snapshots, or the named one.
SELECT id, name, touched, header, records, bytes FROM snapshots
WHERE whole AND ($1 = '' AND NOT passing OR name = $1) ORDER BY name
