-- All databases except templates: the first fork creates one and leaves it.
SELECT count(*) FROM pg_database WHERE datname NOT LIKE 'rowlock\_template\_%'
