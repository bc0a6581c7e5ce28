-- Marks the fork as ready, unless it was marked for removal meanwhile.
UPDATE forks SET state = 'ready', revision = $2 WHERE id = $1 AND state = 'making'
