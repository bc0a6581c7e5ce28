-- The fork's database is gone, and with this all that there was of it.
DELETE FROM forks WHERE id = $1 AND state <> 'ready'
