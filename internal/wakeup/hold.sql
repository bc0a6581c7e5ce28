-- The one row that a transaction may wait for, first and while holding nothing (S2).
SELECT FROM objects WHERE uid = $1 FOR NO KEY UPDATE
