-- The one row that a transaction may wait for, first and while holding nothing (S2).
SELECT revision FROM objects WHERE uid = $1 FOR NO KEY UPDATE
