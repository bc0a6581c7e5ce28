-- What lineage.sql says, on a server that does not tell its users about itself.
SELECT (SELECT identity FROM lineage), (SELECT oid::text FROM pg_database WHERE datname = current_database())
