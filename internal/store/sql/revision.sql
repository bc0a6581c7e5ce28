SELECT value, compacted FROM revision
