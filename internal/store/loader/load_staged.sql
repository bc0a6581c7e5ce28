-- Inserts what is staged.
INSERT INTO objects TABLE staged_objects;
INSERT INTO log TABLE staged_log;
INSERT INTO owners TABLE staged_owners;
INSERT INTO selectors TABLE staged_selectors;
INSERT INTO reservations TABLE staged_reservations;
INSERT INTO quotas (uid, namespace, name, spec, since, counting) TABLE staged_quotas;
INSERT INTO quota_usage TABLE staged_quota_usage;
INSERT INTO memories TABLE staged_memories;
INSERT INTO node_files TABLE staged_node_files;
INSERT INTO calls (caller, number, callee, at, due, query, answer) TABLE staged_calls;
INSERT INTO wakeups (due, retry, cause, uid, attempt, controller) TABLE staged_wakeups;
