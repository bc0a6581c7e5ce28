-- Begins to replace the current state with a staged one, in one transaction with load_clear.sql,
-- load_staged.sql and load_finish.sql, after BEGIN.
--
-- Every writer either locks a row of `objects` first, or locks the counter and afterwards only
-- inserts new rows. So the table is locked against both, then the counter: from then on no writer
-- is under way whose changes this transaction does not see. This is not the lock order of other
-- transactions (S2) and could deadlock: the statement gives up after a moment, and the caller tries
-- again.
SET LOCAL lock_timeout = '200ms';
LOCK TABLE objects IN EXCLUSIVE MODE;
DO $$
BEGIN
    PERFORM FROM revision FOR UPDATE;
END $$;
SET LOCAL lock_timeout = 0;

-- Objects that every cluster begins with, or derives from those, do not count as its own.
DO $$
DECLARE
    own text;
BEGIN
    SELECT o.resource || '/' || CASE WHEN o.namespace = '' THEN '' ELSE o.namespace || '/' END || o.name INTO own
    FROM objects o, staged_header h
    WHERE NOT h.replaces AND o.revision > 0
      AND NOT (o.resource IN ('nodes', 'events', 'leases.coordination.k8s.io', 'priorityclasses.scheduling.k8s.io')
        OR o.resource IN ('flowschemas.flowcontrol.apiserver.k8s.io', 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io')
        OR o.resource IN ('roles.rbac.authorization.k8s.io', 'rolebindings.rbac.authorization.k8s.io', 'clusterroles.rbac.authorization.k8s.io',
            'clusterrolebindings.rbac.authorization.k8s.io') AND (o.name IN ('cluster-admin', 'admin', 'edit', 'view', 'extension-apiserver-authentication-reader')
            OR o.name LIKE 'system:%' OR o.name LIKE 'rowlock:%')
        OR o.resource = 'storageclasses.storage.k8s.io' AND o.name = 'standard'
        OR o.resource = 'namespaces' AND o.name IN ('default', 'kube-system', 'kube-public', 'kube-node-lease')
        OR o.resource = 'serviceaccounts' AND o.name = 'default'
        OR o.resource = 'configmaps' AND (o.name = 'kube-root-ca.crt' OR o.namespace = 'kube-system' AND o.name = 'extension-apiserver-authentication')
        OR o.resource = 'servicecidrs.networking.k8s.io' AND o.name = 'kubernetes'
        OR o.resource = 'ipaddresses.networking.k8s.io' AND o.name = '10.96.0.1'
        OR o.resource IN ('services', 'endpoints') AND o.namespace = 'default' AND o.name = 'kubernetes'
        OR o.resource = 'endpointslices.discovery.k8s.io' AND o.namespace = 'default' AND o.name LIKE 'kubernetes%')
    ORDER BY o.revision LIMIT 1;
    IF own IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RL001', MESSAGE = own;
    END IF;
END $$;
