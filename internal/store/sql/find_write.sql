-- Did a write whose connection was lost take place (S11)? A creation is recognised by its uid; any
-- other change, which came after its base, by its writer, which names the request. Served by the
-- index log_object.
SELECT revision, at FROM log
WHERE resource = $1 AND uid = $2 AND revision > $3 AND verb = $4::"char" AND (verb = 'c' OR writer = $5) ORDER BY revision LIMIT 1
