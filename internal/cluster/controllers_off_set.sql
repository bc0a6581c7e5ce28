-- Records that these controllers are off, and no others.
WITH gone AS (DELETE FROM controllers_off WHERE NOT controller = ANY ($1))
INSERT INTO controllers_off SELECT unnest($1::text[]) ON CONFLICT DO NOTHING
