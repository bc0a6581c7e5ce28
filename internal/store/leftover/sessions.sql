-- Sessions in Pods that are gone: a page of the primary key.
DELETE FROM sessions s USING (SELECT pod, id FROM sessions ORDER BY pod, id LIMIT $1) AS p
WHERE s.pod = p.pod AND s.id = p.id AND NOT EXISTS (SELECT FROM objects o WHERE o.uid = s.pod)
