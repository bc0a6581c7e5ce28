-- remember writes memories beside objects whose locks the caller holds; NULL deletes one. An object
-- that is not at the revision that the memory was computed from is skipped, as apply will leave out
-- the change that comes with it: under the lock, this cannot change in between. It waits for
-- nothing, and comes before the counter is locked.
CREATE OR REPLACE FUNCTION remember(_uid uuid[], _base bigint[], _state bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    DELETE FROM memories m USING unnest(_uid, _base, _state) AS r (uid, base, state), objects o
    WHERE r.state IS NULL AND o.uid = r.uid AND o.revision = r.base AND m.uid = r.uid;
    INSERT INTO memories AS m (uid, state)
    SELECT r.uid, r.state FROM unnest(_uid, _base, _state) AS r (uid, base, state) JOIN objects o ON o.uid = r.uid AND o.revision = r.base
    WHERE r.state IS NOT NULL
    ON CONFLICT (uid) DO UPDATE SET state = excluded.state;
END
$$;
