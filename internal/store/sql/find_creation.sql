-- Did a creation whose connection was lost take place (S11)? Served by the index log_object.
SELECT revision, at FROM log WHERE resource = $1 AND uid = $2 AND verb = 'c'
