-- The one row of the counter, as it was last committed: no lock is taken, so nobody is waited for.
SELECT value, compacted FROM revision
