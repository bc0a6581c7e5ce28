-- Forks that a process is making or removing, or was.
SELECT id, database FROM forks WHERE state <> 'ready'
