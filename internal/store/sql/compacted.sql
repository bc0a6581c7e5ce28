-- The bound is stored in the transaction that removes by it, last, as this takes the counter's lock.
UPDATE revision SET compacted = $1 WHERE compacted < $1 AND value >= $1
