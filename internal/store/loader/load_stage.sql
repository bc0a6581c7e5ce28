-- The staging area of a state until all of it has arrived: tables that only this session sees,
-- waits for nothing on, and that have no WAL.
CREATE TEMP TABLE staged_log (LIKE log);
CREATE TEMP VIEW loaded AS SELECT resource, namespace, body FROM staged_log;
CREATE TEMP TABLE staged_objects (LIKE objects);
CREATE TEMP TABLE staged_owners (LIKE owners);
CREATE TEMP TABLE staged_selectors (LIKE selectors);
CREATE TEMP TABLE staged_reservations (LIKE reservations);
CREATE TEMP TABLE staged_quotas (uid uuid NOT NULL, namespace text NOT NULL, name text NOT NULL, spec text NOT NULL, since bigint NOT NULL, counting boolean NOT NULL);
CREATE TEMP TABLE staged_quota_usage (LIKE quota_usage);
CREATE TEMP TABLE staged_memories (LIKE memories);
CREATE TEMP TABLE staged_node_files (LIKE node_files);
CREATE TEMP TABLE staged_calls (caller uuid NOT NULL, number bigint NOT NULL, callee uuid NOT NULL, at timestamptz NOT NULL, due timestamptz NOT NULL, query bytea NOT NULL, answer bytea NOT NULL);
CREATE TEMP TABLE staged_wakeups (due timestamptz, retry timestamptz, cause bigint NOT NULL, uid uuid NOT NULL, attempt integer NOT NULL, controller text NOT NULL)
