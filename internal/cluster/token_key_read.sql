-- The key of service account tokens, in at most one row.
SELECT key FROM token_key
