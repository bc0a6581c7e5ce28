-- Sets the counter ahead, past all revisions that the lost end of the history can have had, and compacts what is below, so that it is
-- answered with 410. Answers how far compaction had come and what the newest revision was.
UPDATE revision v SET value = v.value + $1, compacted = v.value + $1
FROM revision was WHERE was.one = v.one
RETURNING was.compacted, was.value, v.value
