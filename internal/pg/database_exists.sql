-- Is there a database of this name?
SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)
