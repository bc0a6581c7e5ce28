-- The files of nodes that are there.
SELECT f.node, f.path, f.mode, f.uid, f.gid, f.content FROM node_files f
JOIN objects o ON o.resource = 'nodes' AND o.namespace = '' AND o.name = f.node ORDER BY f.node, f.path
