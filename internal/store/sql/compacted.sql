-- The bound is stored in the transaction that deletes by it. It comes last, because it locks the
-- counter, and nothing may be waited for under that lock (S2).
UPDATE revision SET compacted = $1 WHERE compacted < $1 AND value >= $1
