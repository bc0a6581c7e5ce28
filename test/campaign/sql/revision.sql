-- The newest revision.
SELECT value FROM revision
