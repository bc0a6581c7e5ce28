-- keep_files writes files of nodes, or removes those whose mode is NULL, in the transaction of the
-- plans that say so. Files are locked in one order, so that two such transactions, which may wait
-- for each other's files, cannot deadlock; it comes before the counter is locked (S2). A node holds
-- 2,000 files and 16 MiB: what exceeds that is left out, as on a full disk.
CREATE OR REPLACE FUNCTION keep_files(_node text[], _path text[], _mode integer[], _uid integer[], _gid integer[], _content bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    r     record;
    node_ text := '';
    files bigint;
    bytes bigint;
    old   bigint;
BEGIN
    FOR r IN
        SELECT f.* FROM unnest(_node, _path, _mode, _uid, _gid, _content) WITH ORDINALITY AS f (node, path, mode, uid, gid, content, i)
        ORDER BY f.node COLLATE "C", f.path COLLATE "C", f.i
    LOOP
        IF r.node <> node_ THEN
            node_ := r.node;
            SELECT count(*), coalesce(sum(octet_length(f.content)), 0) INTO files, bytes FROM node_files f WHERE f.node = node_;
        END IF;
        SELECT octet_length(f.content) INTO old FROM node_files f WHERE f.node = r.node AND f.path = r.path FOR UPDATE;
        IF r.mode IS NULL THEN
            DELETE FROM node_files f WHERE f.node = r.node AND f.path = r.path;
            files := files - (old IS NOT NULL)::integer;
            bytes := bytes - coalesce(old, 0);
        ELSIF files + (old IS NULL)::integer <= 2000 AND bytes - coalesce(old, 0) + octet_length(r.content) <= 16 * 1024 * 1024 THEN
            INSERT INTO node_files AS f (node, path, mode, uid, gid, content) VALUES (r.node, r.path, r.mode, r.uid, r.gid, r.content)
            ON CONFLICT (node, path) DO UPDATE SET mode = excluded.mode, uid = excluded.uid, gid = excluded.gid, content = excluded.content;
            files := files + (old IS NULL)::integer;
            bytes := bytes - coalesce(old, 0) + octet_length(r.content);
        END IF;
    END LOOP;
END
$$;
