-- Removes a snapshot that is not complete.
WITH gone AS (
    DELETE FROM snapshots WHERE id = $1 AND NOT whole RETURNING id)
DELETE FROM snapshot_pieces p USING gone WHERE p.snapshot = gone.id
