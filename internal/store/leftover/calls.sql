-- Calls of Pods that are gone, whose answers will not be collected: a page of the primary key.
DELETE FROM calls c USING (SELECT caller, number FROM calls ORDER BY caller, number LIMIT $1) AS p
WHERE c.caller = p.caller AND c.number = p.number AND NOT EXISTS (SELECT FROM objects o WHERE o.uid = c.caller)
