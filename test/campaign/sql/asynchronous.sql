-- From now on a commit is acknowledged when it is on the primary's disk, as in the first second
-- after the standby is known to be away, or without synchronous replication.
ALTER SYSTEM SET synchronous_standby_names = '';
SELECT pg_reload_conf();
