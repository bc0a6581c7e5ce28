-- The revisions of all live objects, in order: narrow rows, read in milliseconds. Locks have no
-- revision.
SELECT revision FROM objects WHERE revision > 0 ORDER BY revision
