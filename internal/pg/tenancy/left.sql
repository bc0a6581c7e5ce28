-- The databases whose names begin with $1.
SELECT datname FROM pg_database WHERE starts_with(datname, $1) ORDER BY datname
