-- Begins a load into a database that nobody uses, which may have been begun before: each piece is committed by itself, and the last one,
-- which is waited for, flushes them all.
SET synchronous_commit = off;
CREATE TEMP VIEW loaded AS SELECT resource, namespace, body FROM log;
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
DELETE FROM wakeups
