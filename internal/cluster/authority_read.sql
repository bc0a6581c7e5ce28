-- The cluster's authority, in at most one row.
SELECT certificate, key FROM authority
