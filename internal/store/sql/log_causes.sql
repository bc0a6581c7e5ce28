-- A change and the chain of its causes, at most so many steps: one probe of the primary key per
-- step. A cause is always older than its effect. The compaction revision comes from the same
-- snapshot (S8).
WITH RECURSIVE chain AS (
    (SELECT 1 AS step, log.revision, log.at, log.uid, log.verb, log.resource, log.namespace, log.name, log.writer, log.cause FROM log WHERE log.revision = $1)
    UNION ALL
    SELECT c.step + 1, l.revision, l.at, l.uid, l.verb, l.resource, l.namespace, l.name, l.writer, l.cause
    FROM chain c JOIN log l ON l.revision = c.cause AND l.revision < c.revision
    WHERE c.step < $2)
SELECT v.compacted, v.value, c.revision, c.at, c.uid, c.verb, c.resource, c.namespace, c.name, c.writer, c.cause
FROM revision v LEFT JOIN chain c ON true
ORDER BY c.step
