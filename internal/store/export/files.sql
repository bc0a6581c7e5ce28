-- The files of existing nodes and persistent volumes.
SELECT f.node, f.path, f.mode, f.uid, f.gid, f.content FROM node_files f
WHERE EXISTS (SELECT FROM objects o WHERE o.resource = 'nodes' AND o.namespace = '' AND o.name = f.node)
   OR EXISTS (SELECT FROM objects o WHERE o.resource = 'persistentvolumes'
       AND o.uid = CASE WHEN f.node LIKE 'persistentvolume/%' THEN split_part(f.node, '/', 2)::uuid END)
ORDER BY f.node, f.path
