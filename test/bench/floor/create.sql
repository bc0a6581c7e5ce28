-- The only table: a row for each object that is written.
CREATE TABLE IF NOT EXISTS floor (name text PRIMARY KEY, body bytea NOT NULL)
