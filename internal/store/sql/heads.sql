-- A page of all live objects with their newest bodies, in the order of the primary key; the bodies by that of the log. Rows
-- that are locks have no version, and so are not among them.
SELECT l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.body
FROM objects o JOIN log l ON l.revision = o.revision
WHERE o.uid > $1 ORDER BY o.uid LIMIT $2
