-- Takes goose's lock until the transaction ends; waits for a minute at most, as goose does.
SELECT set_config('lock_timeout', '60s', true), pg_advisory_xact_lock($1)
