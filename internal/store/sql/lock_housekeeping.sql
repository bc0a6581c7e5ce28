-- The process that holds this row compacts (wakeup.HousekeepingLock); others do not wait for it
-- (S2).
SELECT FROM objects WHERE uid = '00000000-0000-0000-0000-000000000003' FOR NO KEY UPDATE SKIP LOCKED
