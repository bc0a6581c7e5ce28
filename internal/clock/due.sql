-- What is due next, or already, in due order: for each controller the first $1 objects, by
-- wakeups_due. An object with several wakeups of a controller appears once. Locks are rows of
-- objects without a version.
SELECT d.due, c.controller, o.resource, o.namespace, o.name
FROM next_due() AS c
JOIN LATERAL (
    SELECT w.uid, min(w.due) AS due FROM (
        SELECT * FROM wakeups w WHERE w.controller = c.controller AND w.due IS NOT NULL ORDER BY w.due LIMIT $1) AS w
    GROUP BY w.uid) AS d ON true
JOIN objects o ON o.uid = d.uid
ORDER BY d.due, c.controller, o.namespace, o.name LIMIT $1
