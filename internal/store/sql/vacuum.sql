-- The small tables of which every commit, or every step of the clock, leaves dead rows. Not truncated, as that locks out everybody; skipped where
-- another process or the server itself is at it.
VACUUM (SKIP_LOCKED, TRUNCATE false) wakeups, revision, clock, calls
