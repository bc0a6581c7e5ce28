-- Forgets what the changes after $1, up to $2, superseded: earlier versions of the same objects and, of removed objects, all
-- (S8). Costs as much as those changes and what they superseded, not as the log: the primary key gives the last change of each object,
-- log_object what was before.
DELETE FROM log USING (
    SELECT DISTINCT ON (c.resource, c.uid) c.resource, c.uid, c.revision, c.verb
    FROM log c WHERE c.revision > $1 AND c.revision <= $2
    ORDER BY c.resource, c.uid, c.revision DESC
) AS n
WHERE log.resource = n.resource AND log.uid = n.uid AND log.revision <= n.revision
  AND (log.revision < n.revision OR n.verb = 'd')
