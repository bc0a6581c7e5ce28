-- Notes who waits for room in a namespace: see the function's own text in migrations.
SELECT woken FROM await_room($1, $2, $3, $4)
