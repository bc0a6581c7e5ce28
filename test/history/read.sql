-- The whole log, by its primary key.
SELECT revision, at, cause, uid, verb, resource, namespace, name, writer, body FROM log ORDER BY revision
