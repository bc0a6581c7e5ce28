-- The memory beside one object: one probe of the primary key.
SELECT state FROM memories WHERE uid = $1
