-- Deletes what the changes after $1, up to $2, superseded: earlier versions of the same objects
-- and, for deleted objects, all versions (S8). The cost is that of these changes and of what they
-- superseded, not of the log: the primary key gives the last change of each object, log_object the
-- versions before.
DELETE FROM log USING (
    SELECT DISTINCT ON (c.resource, c.uid) c.resource, c.uid, c.revision, c.verb
    FROM log c WHERE c.revision > $1 AND c.revision <= $2
    ORDER BY c.resource, c.uid, c.revision DESC
) AS n
WHERE log.resource = n.resource AND log.uid = n.uid AND log.revision <= n.revision
  AND (log.revision < n.revision OR n.verb = 'd')
