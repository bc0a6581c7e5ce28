-- Removes a snapshot by its name.
WITH gone AS (DELETE FROM snapshots WHERE name = $1 RETURNING id),
pieces AS (DELETE FROM snapshot_pieces p USING gone WHERE p.snapshot = gone.id)
SELECT count(*) FROM gone
