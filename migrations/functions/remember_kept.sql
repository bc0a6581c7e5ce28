-- remember_kept is remember for objects whose own change is kept only if another change of the
-- transaction is: it writes the memory if apply has changed the object, and nothing otherwise. It
-- comes after apply, when that is known. The caller holds the objects' locks, so no other
-- transaction can have changed them since _base or written their memories.
CREATE OR REPLACE FUNCTION remember_kept(_uid uuid[], _base bigint[], _state bytea[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    DELETE FROM memories m USING unnest(_uid, _base, _state) AS r (uid, base, state) LEFT JOIN objects o ON o.uid = r.uid
    WHERE r.state IS NULL AND o.revision IS DISTINCT FROM r.base AND m.uid = r.uid;
    INSERT INTO memories AS m (uid, state)
    SELECT r.uid, r.state FROM unnest(_uid, _base, _state) AS r (uid, base, state) JOIN objects o ON o.uid = r.uid AND o.revision > r.base
    WHERE r.state IS NOT NULL
    ON CONFLICT (uid) DO UPDATE SET state = excluded.state;
END
$$;
