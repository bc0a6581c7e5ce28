-- If several replicas find the history in another database, one changes the row. The others wait
-- here, holding nothing (S2).
UPDATE lineage SET identity = $2 WHERE identity = $1
