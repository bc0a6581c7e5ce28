-- Counts of faults that are gone. There are few rows.
DELETE FROM fault_counts c WHERE NOT EXISTS (SELECT FROM objects o WHERE o.uid = c.uid)
