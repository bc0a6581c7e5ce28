-- Did a write whose connection was lost take place (S11)? The first version after its base is it, if it says the same.
-- Served by the index log_object.
SELECT revision, at, verb = $4::"char" AND body IS NOT DISTINCT FROM $5::text
FROM log WHERE resource = $1 AND uid = $2 AND revision > $3 ORDER BY revision LIMIT 1
