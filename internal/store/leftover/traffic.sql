-- Request counts older than $1 that their Pods have left behind: a page of traffic_minute.
DELETE FROM traffic t USING (SELECT caller, minute, service, callee FROM traffic WHERE minute < cluster_now() - $1::interval ORDER BY minute LIMIT $2) AS p
WHERE t.caller = p.caller AND t.minute = p.minute AND t.service = p.service AND t.callee = p.callee
