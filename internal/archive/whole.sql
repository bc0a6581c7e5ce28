-- All pieces are there.
UPDATE snapshots SET whole = true, touched = clock_timestamp(), header = $2, records = $3 WHERE id = $1 AND NOT whole
