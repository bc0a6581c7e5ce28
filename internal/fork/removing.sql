-- Marks the fork for removal: requests do not find it any more.
UPDATE forks SET state = 'removing' WHERE name = $1 RETURNING id, database
