-- Marks the expired forks for removal.
UPDATE forks SET state = 'removing' WHERE state = 'ready' AND expires <= clock_timestamp()
