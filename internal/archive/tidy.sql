-- Removes what was only temporary and not used for an hour, and what is not completed any more: a
-- writer touches its snapshot with each piece, and a client that sends less in two minutes is cut off.
WITH gone AS (
    DELETE FROM snapshots WHERE touched < clock_timestamp() - CASE WHEN whole THEN interval '1 hour' ELSE interval '2 minutes' END
    AND (passing OR NOT whole) RETURNING id)
DELETE FROM snapshot_pieces p USING gone WHERE p.snapshot = gone.id
