-- Starts an incomplete snapshot over.
WITH s AS (
    UPDATE snapshots SET touched = clock_timestamp(), bytes = 0 WHERE id = $1 AND NOT whole RETURNING id)
DELETE FROM snapshot_pieces p USING s WHERE p.snapshot = s.id
