-- Removes what was not completed, or was only temporary, and not touched for an hour.
WITH gone AS (
    DELETE FROM snapshots WHERE (passing OR NOT whole) AND touched < clock_timestamp() - interval '1 hour' RETURNING id)
DELETE FROM snapshot_pieces p USING gone WHERE p.snapshot = gone.id
