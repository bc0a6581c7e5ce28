-- The files of nodes and persistent volumes that no longer exist. Finds the distinct owners of
-- files by hopping through the primary key.
WITH RECURSIVE nodes AS (
    (SELECT node FROM node_files ORDER BY node LIMIT 1)
    UNION ALL
    SELECT (SELECT f.node FROM node_files f WHERE f.node > n.node ORDER BY f.node LIMIT 1) FROM nodes n WHERE n.node IS NOT NULL)
DELETE FROM node_files f USING nodes n
WHERE f.node = n.node
  AND NOT EXISTS (SELECT FROM objects o WHERE o.resource = 'nodes' AND o.namespace = '' AND o.name = n.node)
  AND NOT EXISTS (SELECT FROM objects o WHERE o.resource = 'persistentvolumes'
      AND o.uid = CASE WHEN n.node LIKE 'persistentvolume/%' THEN split_part(n.node, '/', 2)::uuid END)
