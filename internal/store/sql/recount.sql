-- Sets the usage of a quota to what was counted: see the function's own text in migrations.
SELECT woken FROM recount($1, $2, $3, $4, $5::text[]::numeric[], $6, $7::text[]::numeric[], $8)
