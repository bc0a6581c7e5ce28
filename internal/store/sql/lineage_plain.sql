-- The same as lineage.sql, for a server that does not let its users read its identity.
SELECT (SELECT identity FROM lineage), (SELECT oid::text FROM pg_database WHERE datname = current_database())
