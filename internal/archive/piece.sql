-- The next piece of a snapshot, unless that has been removed.
WITH s AS (
    UPDATE snapshots SET touched = clock_timestamp(), bytes = bytes + octet_length($3::bytea) WHERE id = $1 AND NOT whole RETURNING id)
INSERT INTO snapshot_pieces (snapshot, piece, content) SELECT s.id, $2, $3 FROM s
