-- When the next request to the API server arrives that no replica has taken, and $2 of those that a
-- replica has taken and not answered: by calls_callee.
SELECT (SELECT min(c.due) FROM calls c WHERE c.callee = $1 AND c.answer IS NULL AND c.server IS NULL), t.caller::text, t.number, t.at, t.server
FROM (SELECT) AS always LEFT JOIN LATERAL (
    SELECT * FROM calls c WHERE c.callee = $1 AND c.answer IS NULL AND c.server IS NOT NULL ORDER BY c.at, c.caller, c.number LIMIT $2) AS t ON true
