-- By the primary key.
SELECT uid, seen, hits FROM fault_counts WHERE uid = ANY ($1)
