-- On a standby that is being promoted: whether it has become a primary.
SELECT (NOT pg_is_in_recovery())::int
