-- A page of all live objects with their newest bodies, in primary key order; the bodies come by the
-- log's primary key. Locks have no version, so they do not appear.
SELECT l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM objects o JOIN log l ON l.revision = o.revision
WHERE o.uid > $1 ORDER BY o.uid LIMIT $2
