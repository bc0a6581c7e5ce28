-- Takes requests to the API server that have arrived and that no replica has taken, the oldest first: by calls_callee.
WITH t AS MATERIALIZED (
    SELECT c.caller, c.number FROM calls c
    WHERE c.callee = $1 AND c.answer IS NULL AND c.server IS NULL AND c.due <= (SELECT cluster_now())
    ORDER BY c.at, c.caller, c.number LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE calls c SET server = $2 FROM t WHERE c.caller = t.caller AND c.number = t.number
RETURNING c.caller::text, c.number, c.at, c.query
