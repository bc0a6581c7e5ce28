-- +goose Up

-- claim takes due work of one controller: it locks up to _limit objects that have due wakeups, walking on past locked
-- ones, and then, in a new statement and so in a snapshot younger than the locks, reads the ids of their due wakeups and
-- the revision. Objects without ids were finished by another worker between the two statements, and have no row.
-- A last row without uid says when the next wakeup is due, which is in the past if everything that is due is locked by
-- others; NULL for none.
-- +goose StatementBegin
CREATE FUNCTION claim(_controller text, _limit integer)
RETURNS TABLE (uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamptz)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_   timestamptz := cluster_now();
    locked uuid[];
BEGIN
    locked := ARRAY(
        SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
        WHERE w.controller = _controller AND w.due <= now_
        ORDER BY w.due LIMIT _limit
        FOR NO KEY UPDATE OF o SKIP LOCKED);
    IF cardinality(locked) > 0 THEN
        RETURN QUERY
        SELECT w.uid, array_agg(w.id), max(w.cause), max(w.attempt), (SELECT v.value FROM revision v), now_
        FROM (SELECT DISTINCT l.uid FROM unnest(locked) AS l (uid)) AS l
        JOIN wakeups w ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_
        GROUP BY w.uid;
    END IF;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due
        FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t;
END
$$;
-- +goose StatementEnd

-- claim_under is claim for a controller that decides across objects: the one row _lock is locked instead of the objects.
-- It answers nothing at all while another worker holds the lock.
-- +goose StatementBegin
CREATE FUNCTION claim_under(_lock uuid, _controller text, _limit integer)
RETURNS TABLE (uid uuid, ids bigint[], cause bigint, attempt integer, revision bigint, at timestamptz)
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    now_ timestamptz := cluster_now();
BEGIN
    PERFORM FROM objects o WHERE o.uid = _lock FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT w.uid, array_agg(w.id), max(w.cause), max(w.attempt), (SELECT v.value FROM revision v), now_
    FROM (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit) AS w
    GROUP BY w.uid;
    RETURN QUERY SELECT NULL::uuid, NULL::bigint[], NULL::bigint, NULL::integer, NULL::bigint, t.due
        FROM (SELECT min(w.due) AS due FROM wakeups w WHERE w.controller = _controller AND w.due > now_) AS t;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION claim_under;
DROP FUNCTION claim;
