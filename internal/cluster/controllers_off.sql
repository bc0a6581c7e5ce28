-- The controllers that were off in the replica that started last.
SELECT controller FROM controllers_off ORDER BY controller
