-- The requests since minute $1, by caller and callee and by minute. They are the requests to the
-- Service $2; to one of the Pods $3, without a Service or, if $2 is empty, through any; and those
-- by the Pod $4, if there is one. Reads at most $5 rows by each of traffic_service, traffic_callee
-- and the primary key, and returns at most $6 pairs, the busiest first.
WITH found AS MATERIALIZED (
    (SELECT * FROM traffic WHERE service = $2 AND service <> '' AND minute >= $1 ORDER BY minute DESC LIMIT $5)
    UNION ALL
    (SELECT t.* FROM unnest($3::text[]) AS p (name) CROSS JOIN LATERAL (
        SELECT * FROM traffic WHERE callee = p.name AND callee <> '' AND minute >= $1 ORDER BY minute DESC LIMIT $5) AS t
    WHERE $2 = '' OR t.service = '' LIMIT $5)
    UNION ALL
    (SELECT * FROM traffic WHERE caller = $4 AND minute >= $1 AND NOT callee = ANY ($3) ORDER BY minute DESC LIMIT $5)
), summed AS (
    SELECT minute, CASE WHEN grouping(minute) = 1 THEN caller_name END AS caller, CASE WHEN grouping(minute) = 1 THEN service END AS service,
        CASE WHEN grouping(minute) = 1 THEN callee END AS callee,
        sum(answered)::bigint AS answered, sum(failed)::bigint AS failed, sum(refused)::bigint AS refused, sum(lost)::bigint AS lost
    FROM found GROUP BY GROUPING SETS ((caller_name, service, callee), (minute))
)
(SELECT minute, '' AS caller, '' AS service, '' AS callee, answered, failed, refused, lost FROM summed WHERE minute IS NOT NULL ORDER BY minute)
UNION ALL
(SELECT NULL, caller, service, callee, answered, failed, refused, lost FROM summed WHERE minute IS NULL
ORDER BY answered + failed + refused + lost DESC, caller, service, callee LIMIT $6)
