-- One change, and the version that it superseded: a probe of the primary key and one of log_object.
-- The compaction revision comes from the same snapshot (S8).
SELECT v.compacted, v.value, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.writer, l.cause, l.body,
    p.revision, p.at, p.body
FROM revision v LEFT JOIN log l ON l.revision = $1
LEFT JOIN LATERAL (
    SELECT * FROM log b WHERE b.resource = l.resource AND b.uid = l.uid AND b.revision < l.revision
    ORDER BY b.revision DESC LIMIT 1) AS p ON true
