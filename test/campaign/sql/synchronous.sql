-- From now on a commit is acknowledged when it is on the standby's disk too.
ALTER SYSTEM SET synchronous_standby_names = '*';
SELECT pg_reload_conf();
