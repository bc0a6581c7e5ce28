-- The counter and the clock, from the same snapshot as everything that this transaction reads
-- later.
SELECT v.value, v.compacted, v.at, greatest(v.at, cluster_now()), CASE WHEN c.advance = 'running' AND c.resumes THEN c.pace ELSE c.speed END, c.pace,
    (SELECT s.last_value + s.is_called::integer FROM addresses s)
FROM revision v, clock c
