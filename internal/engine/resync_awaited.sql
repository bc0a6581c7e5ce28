-- Which of these objects would the controller have synced or retried soon without what it has
-- claimed? With $4, any sync of the controller is enough. A sync of an owner or a dependent is
-- enough too: the collector deletes dependents when it syncs their owner, and a Deployment judges
-- Pods that its ReplicaSet may not have counted yet. So is work of one of the controllers $5, which
-- may be about to ask for a sync. Served by wakeups_object, the indexes of owners, and wakeups_due.
SELECT f.uid FROM unnest($2::uuid[]) AS f (uid)
WHERE EXISTS (
    SELECT FROM wakeups w WHERE w.controller = $1 AND (w.uid = f.uid OR $4) AND NOT w.id = ANY ($3)
    AND (w.retry IS NOT NULL OR w.due <= cluster_now() + interval '1 min'))
OR EXISTS (
    SELECT FROM wakeups w WHERE w.uid IN (
        SELECT o.uid FROM owners o WHERE o.owner = f.uid UNION ALL SELECT o.owner FROM owners o WHERE o.uid = f.uid)
    AND (w.retry IS NOT NULL OR w.due <= cluster_now() + interval '1 min'))
OR EXISTS (
    SELECT FROM unnest($5::text[]) AS c (name) JOIN wakeups w ON w.controller = c.name
    WHERE w.retry IS NOT NULL OR w.due <= cluster_now() + interval '1 min')
