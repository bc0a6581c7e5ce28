-- Whether there are any calls between Pods, one row of the primary key, and whether the clock is
-- paused and nothing advances it. It is read after the claim: a current advance waits for what has
-- been claimed.
SELECT EXISTS (SELECT FROM calls ORDER BY caller, number LIMIT 1), c.speed = 0 AND c.advance <> 'running' AND clock_timestamp() >= c.anchor_real
FROM clock c
