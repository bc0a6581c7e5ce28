-- The snapshots that are kept, or the one that is named.
SELECT id, name, touched, header, records, bytes FROM snapshots
WHERE whole AND ($1 = '' AND NOT passing OR name = $1) ORDER BY name
