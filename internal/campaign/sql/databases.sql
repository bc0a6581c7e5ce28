-- All databases except templates: the first fork makes one and leaves it.
SELECT count(*) FROM pg_database WHERE datname NOT LIKE 'rowlock\_template\_%'
