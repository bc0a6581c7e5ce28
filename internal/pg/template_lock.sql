-- The lock under which one process makes the template while the others wait.
SELECT pg_advisory_lock(7262116001)
