-- If processes need it at the same time, the first keeps what it has made.
INSERT INTO token_key (key) VALUES ($1) ON CONFLICT DO NOTHING
