-- Anchors the clock at a moment, paused. Transactions in progress keep the time that they have
-- read.
UPDATE clock SET anchor_cluster = $1, anchor_real = clock_timestamp(), speed = 0, version = version + 1
