-- Sets the counter and the clock of a cluster to those of the state that was loaded into it. The
-- counter never goes back, so that no client takes a revision of the earlier history for one of
-- this. Everything before the state is compacted (S8), so every follower loads again.
UPDATE revision v SET value = n.value, compacted = n.value, at = n.at
FROM (SELECT CASE WHEN r.value < h.revision THEN h.revision ELSE r.value + 1 END AS value, h.at FROM revision r, staged_header h) AS n;
UPDATE clock c SET version = c.version + 1, anchor_cluster = h.now, anchor_real = clock_timestamp(), speed = h.speed, was = h.speed, pace = h.pace,
    resumes = false, advance = 'none', advance_from = NULL, advance_to = NULL, advance_ended = NULL, advance_steps = 0
FROM staged_header h;
SELECT setval('addresses', greatest(1, least(h.addresses, 8388607), s.last_value)) FROM staged_header h, addresses s;

-- If the state came without wakeups, every controller syncs every object that it handles.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
SELECT DISTINCT ON (o.uid, c.controller) h.now, 0, o.uid, 0, c.controller
FROM staged_header h CROSS JOIN LATERAL unnest(h.controller, h.resource, h.lock) AS c (controller, resource, lock)
JOIN objects o ON c.resource = o.resource OR c.lock = o.uid
    OR c.resource = '*' AND (o.terminating OR EXISTS (SELECT FROM owners d WHERE d.uid = o.uid))
WHERE h.past;

-- Quota usage was counted from the loaded objects; the status of the quotas may lag.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
SELECT h.now, 0, q.uid, 0, 'resourcequota' FROM staged_header h, quotas q;
