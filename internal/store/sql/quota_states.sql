-- Quotas and their usage, by name: by the primary keys and the index of namespaces, in tables with
-- few rows.
SELECT q.uid::text, q.namespace, q.name, q.since, q.counting, u.resource, u.used::text, u.format, u.limited
FROM quotas q LEFT JOIN quota_usage u ON u.quota = q.uid
WHERE q.uid = ANY ($1) OR q.namespace = ANY ($2)
ORDER BY q.namespace, q.name, q.uid, u.resource
