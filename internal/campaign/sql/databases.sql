-- The databases but for templates, of which the first fork leaves one.
SELECT count(*) FROM pg_database WHERE datname NOT LIKE 'rowlock\_template\_%'
