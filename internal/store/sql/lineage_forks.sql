-- Deletes the forks that a copy has brought along: their databases belong to the original. A server
-- that was promoted or recovered, whose identity differs only in the timeline, has brought these
-- databases too.
DELETE FROM forks WHERE regexp_replace($1, '/[0-9A-F]{8}$', '') <> regexp_replace($2, '/[0-9A-F]{8}$', '')
