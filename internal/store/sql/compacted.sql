-- The bound is stored in the transaction that removes by it, last, as this takes the counter's lock,
-- under which nothing else may be waited for (S2).
UPDATE revision SET compacted = $1 WHERE compacted < $1 AND value >= $1
