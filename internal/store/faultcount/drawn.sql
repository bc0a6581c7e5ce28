-- The turn was a hit.
UPDATE fault_counts SET hits = hits + 1 WHERE uid = $1
