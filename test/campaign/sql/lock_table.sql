-- The lock of VACUUM FULL and ALTER TABLE: it excludes readers too.
LOCK TABLE objects IN ACCESS EXCLUSIVE MODE
