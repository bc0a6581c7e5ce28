-- Wakes controllers under the counter, after apply: see the function's own text in migrations.
SELECT woken FROM wake($1, $2, $3)
