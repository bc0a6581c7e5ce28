-- Begins a load into a database that nobody uses, which may have been begun before: each piece is committed by itself, and the last one,
-- which is waited for, flushes them all.
SET synchronous_commit = off;
CREATE TEMP VIEW loaded AS SELECT resource, namespace, body FROM log;
