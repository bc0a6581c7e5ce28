-- Advances the counter past all revisions that the lost end of the history may have had, and
-- compacts everything below, so that requests for it get 410. Returns how far compaction had come
-- and what the newest revision was.
UPDATE revision v SET value = v.value + $1, compacted = v.value + $1
FROM revision was WHERE was.one = v.one
RETURNING was.compacted, was.value, v.value
