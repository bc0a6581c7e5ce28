-- The versions of these revisions, in order: probes of the primary key. Those compacted meanwhile
-- are missing.
SELECT l.revision, l.at, l.uid, l.verb::text, l.resource, l.namespace, l.name, l.writer, l.cause, l.body
FROM unnest($1::bigint[]) AS r (revision) JOIN log l ON l.revision = r.revision ORDER BY l.revision
