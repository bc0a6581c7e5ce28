-- Deletes the current state.
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
DELETE FROM calls;
DELETE FROM traffic;
DELETE FROM sessions;
DELETE FROM node_files;
DELETE FROM wakeups;
