-- The cluster's authority, in the one row that there may be.
SELECT certificate, key FROM authority
