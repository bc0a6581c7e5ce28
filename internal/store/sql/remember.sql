-- Writes what is remembered beside objects, before apply takes the counter: see the function's own text in migrations.
SELECT remember($1, $2, $3)
