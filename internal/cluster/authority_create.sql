-- If processes start at the same time, the first keeps what it has made.
INSERT INTO authority (certificate, key) VALUES ($1, $2) ON CONFLICT DO NOTHING
