-- Begins a load into an unused database, which an earlier load may have begun to fill. Each piece
-- is committed by itself; the last commit is waited for and flushes them all.
SET synchronous_commit = off;
CREATE TEMP VIEW loaded AS SELECT resource, namespace, body FROM log;
