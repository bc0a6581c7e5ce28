-- Notes who waits for room in a namespace: see migrations/functions/await_room.sql.
SELECT woken FROM await_room(_controller => $1, _uid => $2, _namespace => $3, _revision => $4)
