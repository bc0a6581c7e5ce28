-- What a cluster at rest must not have: work that is due or must be retried; rows about objects
-- that do not exist; and heads that are not at the last revision of their object. Memories of
-- objects that are gone are not included, because they are forgotten once in a while. It reads
-- whole tables, and is meant for tests.
SELECT 'wakeups of ' || w.controller || ' that are due', count(*) FROM wakeups w WHERE w.due <= cluster_now() OR w.retry IS NOT NULL GROUP BY w.controller
UNION ALL
SELECT 'wakeups of ' || w.controller || ' for objects that are not there', count(*) FROM wakeups w
    WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = w.uid) GROUP BY w.controller
UNION ALL
SELECT 'owners of objects that are not there', count(*) FROM owners d WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = d.uid) HAVING count(*) > 0
UNION ALL
SELECT 'selectors of objects that are not there', count(*) FROM selectors s WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = s.uid) HAVING count(*) > 0
UNION ALL
SELECT 'reservations of objects that are not there', count(*) FROM reservations r WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = r.uid) HAVING count(*) > 0
UNION ALL
SELECT 'objects that are not as the log has them last', count(*)
    FROM (SELECT DISTINCT ON (uid) uid, revision, verb, resource, namespace, name FROM log ORDER BY uid, revision DESC) AS l
    FULL JOIN (SELECT * FROM objects WHERE revision > 0) AS o USING (uid)
    WHERE (l.revision, l.resource, l.namespace, l.name) IS DISTINCT FROM (o.revision, o.resource, o.namespace, o.name) AND NOT (l.verb = 'd' AND o.uid IS NULL)
        HAVING count(*) > 0
