-- The calls that some Pods must answer by $5, in that order, at most $2 per Pod, and those that
-- they have made, at most $4 per Pod: by calls_callee and by the primary key. After the first $3
-- bytes, calls come without query and answer.
SELECT c.caller::text, c.number, c.callee::text, c.at, c.due,
    CASE WHEN c.before < $3 THEN c.query END, CASE WHEN c.before < $3 THEN c.answer END
FROM (
    SELECT c.*, sum(octet_length(c.query) + coalesce(octet_length(c.answer), 0)) OVER (ORDER BY c.at, c.caller, c.number)
        - octet_length(c.query) - coalesce(octet_length(c.answer), 0) AS before
    FROM (
        SELECT DISTINCT ON (c.at, c.caller, c.number) c.*
        FROM unnest($1::uuid[]) AS o (uid)
        CROSS JOIN LATERAL (
            (SELECT * FROM calls WHERE calls.callee = o.uid AND calls.answer IS NULL AND calls.due <= $5 ORDER BY calls.at, calls.caller, calls.number LIMIT $2)
            UNION ALL
            (SELECT * FROM calls WHERE calls.caller = o.uid ORDER BY calls.number LIMIT $4)) AS c
        ORDER BY c.at, c.caller, c.number) AS c) AS c
ORDER BY c.at, c.caller, c.number
