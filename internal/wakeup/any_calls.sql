-- Whether there are calls between Pods at all, read after the claim: one row of the primary key.
SELECT EXISTS (SELECT FROM calls ORDER BY caller, number LIMIT 1)
