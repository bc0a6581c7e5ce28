-- The fork's database is gone, and with this its row.
DELETE FROM forks WHERE id = $1 AND state <> 'ready'
