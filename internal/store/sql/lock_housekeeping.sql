-- Whoever holds this row compacts. It was made by the first migration.
SELECT FROM objects WHERE uid = '00000000-0000-0000-0000-000000000003' FOR NO KEY UPDATE SKIP LOCKED
