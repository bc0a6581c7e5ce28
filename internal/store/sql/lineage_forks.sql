-- Forgets the forks that a copy has brought along: their databases are the original's. A server that was promoted or recovered, whose
-- identity differs in the timeline alone, has brought these databases too.
DELETE FROM forks WHERE regexp_replace($1, '/[0-9A-F]{8}$', '') <> regexp_replace($2, '/[0-9A-F]{8}$', '')
