-- The forks whose time has come are to go.
UPDATE forks SET state = 'removing' WHERE state = 'ready' AND expires <= clock_timestamp()
