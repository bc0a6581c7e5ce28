-- The fork is to go: those that ask for it do not find it any more.
UPDATE forks SET state = 'removing' WHERE name = $1 RETURNING id, database
