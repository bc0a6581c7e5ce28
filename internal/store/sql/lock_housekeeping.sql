-- Whoever holds this row compacts (wakeup.HousekeepingLock); who does not get it waits for nobody (S2).
SELECT FROM objects WHERE uid = '00000000-0000-0000-0000-000000000003' FOR NO KEY UPDATE SKIP LOCKED
