-- Puts a staged state in the place of what there is, in one transaction with load_finish.sql, after BEGIN.
--
-- Whoever changes anything has either locked a row of `objects` first or takes the counter and nothing after it but new rows. So the table is
-- locked against both kinds, then the counter: with it nobody has begun what we do not see. That is not the order of the others
-- (S2), and could be a circle: we give up after a moment, and are called again.
SET LOCAL lock_timeout = '200ms';
LOCK TABLE objects IN EXCLUSIVE MODE;
DO $$
BEGIN
    PERFORM FROM revision FOR UPDATE;
END $$;
SET LOCAL lock_timeout = 0;

-- What every cluster begins with, or makes of that, is nobody's.
DO $$
DECLARE
    own text;
BEGIN
    SELECT o.resource || '/' || CASE WHEN o.namespace = '' THEN '' ELSE o.namespace || '/' END || o.name INTO own
    FROM objects o, staged_header h
    WHERE NOT h.replaces AND o.revision > 0
      AND NOT (o.resource IN ('nodes', 'events', 'leases.coordination.k8s.io', 'priorityclasses.scheduling.k8s.io')
        OR o.resource = 'storageclasses.storage.k8s.io' AND o.name = 'standard'
        OR o.resource = 'namespaces' AND o.name IN ('default', 'kube-system', 'kube-public', 'kube-node-lease')
        OR o.resource = 'serviceaccounts' AND o.name = 'default'
        OR o.resource = 'configmaps' AND o.name = 'kube-root-ca.crt'
        OR o.resource IN ('services', 'endpoints') AND o.namespace = 'default' AND o.name = 'kubernetes'
        OR o.resource = 'endpointslices.discovery.k8s.io' AND o.namespace = 'default' AND o.name LIKE 'kubernetes%')
    ORDER BY o.revision LIMIT 1;
    IF own IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RL001', MESSAGE = own;
    END IF;
END $$;

DELETE FROM objects WHERE resource <> 'locks.rowlock';
DELETE FROM log;
DELETE FROM owners;
DELETE FROM selectors;
DELETE FROM reservations;
DELETE FROM quotas;
DELETE FROM quota_usage;
DELETE FROM quota_journal;
DELETE FROM quota_waiters;
DELETE FROM memories;
DELETE FROM node_files;
DELETE FROM wakeups;
INSERT INTO objects TABLE staged_objects;
INSERT INTO log TABLE staged_log;
INSERT INTO owners TABLE staged_owners;
INSERT INTO selectors TABLE staged_selectors;
INSERT INTO reservations TABLE staged_reservations;
INSERT INTO quotas (uid, namespace, name, spec, since, counting) TABLE staged_quotas;
INSERT INTO quota_usage TABLE staged_quota_usage;
INSERT INTO memories TABLE staged_memories;
INSERT INTO node_files TABLE staged_node_files;
INSERT INTO wakeups (due, retry, cause, uid, attempt, controller) TABLE staged_wakeups;
