-- The first look: several replicas may take it at once.
INSERT INTO lineage (identity) VALUES ($1) ON CONFLICT DO NOTHING
