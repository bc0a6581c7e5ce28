-- Forgets what the changes after $1, up to $2, superseded: earlier versions of the same objects and, of removed objects, all
-- (S8). Costs as much as those changes, not as the log: the primary key gives them, log_object their ancestors.
DELETE FROM log USING log n
WHERE n.revision > $1 AND n.revision <= $2
  AND log.resource = n.resource AND log.uid = n.uid
  AND (log.revision < n.revision OR log.revision = n.revision AND n.verb = 'd')
