-- The key of service account tokens, in the one row that there may be.
SELECT key FROM token_key
