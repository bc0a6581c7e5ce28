-- Skips the Pod addresses that the lost end of the history may have drawn, as processes may still
-- assign them. After the last number they begin again.
SELECT setval('addresses', (last_value + $1::bigint) % 8388608) FROM addresses
