-- Records the identity the first time: several replicas may do so at once.
INSERT INTO lineage (identity) VALUES ($1) ON CONFLICT DO NOTHING
