-- By primary key. Wakeups are inserted and deleted, never updated (S6), so those that exist are as
-- they were claimed.
SELECT id FROM wakeups WHERE id = ANY($1::bigint[])
