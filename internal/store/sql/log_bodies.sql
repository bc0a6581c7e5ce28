-- Some versions in full, by their revisions, in order: one probe of the primary key each. Those
-- without a body, and those that have been compacted, are left out.
SELECT revision, at, uid, verb, resource, namespace, name, body FROM log
WHERE revision = ANY ($1) AND body IS NOT NULL
ORDER BY revision
