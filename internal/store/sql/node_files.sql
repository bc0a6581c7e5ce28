-- The files at and below places on nodes; what is below a place is a range of the primary key, as
-- "0" is the character after "/". A file below two of the places comes once.
SELECT DISTINCT ON (f.node, f.path) f.node, f.path, f.mode, f.uid, f.gid, f.content
FROM unnest($1::text[], $2::text[]) AS p (node, path)
CROSS JOIN LATERAL (
    SELECT * FROM node_files WHERE node_files.node = p.node COLLATE "C" AND node_files.path = p.path COLLATE "C"
    UNION ALL
    SELECT * FROM node_files WHERE node_files.node = p.node COLLATE "C"
        AND node_files.path >= rtrim(p.path, '/') || '/' COLLATE "C" AND node_files.path < rtrim(p.path, '/') || '0' COLLATE "C") AS f
ORDER BY f.node, f.path
