-- Writes files of nodes, before apply takes the counter: see the function's own text in migrations.
SELECT keep_files($1, $2, $3, $4, $5, $6)
