-- The one row of the counter, as last committed: it takes no lock, so nothing waits.
SELECT value, compacted FROM revision
