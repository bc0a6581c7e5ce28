SELECT count(*) FROM pg_database
