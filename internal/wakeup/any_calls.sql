-- Whether there are calls between Pods at all, one row of the primary key, and whether the clock stands still and nobody advances it. It is
-- read after the claim: an advance that is under way waits for what has been claimed.
SELECT EXISTS (SELECT FROM calls ORDER BY caller, number LIMIT 1), c.speed = 0 AND c.advance <> 'running' AND clock_timestamp() >= c.anchor_real
FROM clock c
