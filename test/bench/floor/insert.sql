-- Writes an object, in a transaction of its own.
INSERT INTO floor (name, body) VALUES ($1, $2)
