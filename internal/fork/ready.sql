-- The fork is there, unless it was to be removed meanwhile.
UPDATE forks SET state = 'ready', revision = $2 WHERE id = $1 AND state = 'making'
