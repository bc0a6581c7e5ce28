-- The revisions of all live objects, in order: narrow rows, read in milliseconds. Locks have none.
SELECT revision FROM objects WHERE revision > 0 ORDER BY revision
