-- When the first row from a revision on was committed: one probe of the primary key.
SELECT at FROM log WHERE revision >= $1 ORDER BY revision LIMIT 1
