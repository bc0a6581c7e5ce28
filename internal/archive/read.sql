-- One piece of a snapshot: one probe of the primary key.
SELECT content FROM snapshot_pieces WHERE snapshot = $1 AND piece = $2
