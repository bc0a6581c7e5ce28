-- The small tables in which every commit, or every step of the clock, leaves dead rows. Not
-- truncated, because that would lock out everyone else; skipped if another process or the server
-- itself is vacuuming.
VACUUM (SKIP_LOCKED, TRUNCATE false) wakeups, revision, clock, calls
