-- Does a database with this name exist?
SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)
