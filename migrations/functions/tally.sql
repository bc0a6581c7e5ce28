-- tally adds to the recorded requests of Pods, and removes what is older than _kept. by is the Pod
-- whose plan it is: if the Pod is not at the revision that the plan was computed from, its numbers
-- are skipped, as remember skips its memory. A Pod's rows are written only under its lock, so
-- nothing waits; it comes before the counter is locked (S2).
CREATE OR REPLACE FUNCTION tally(
    _by uuid[], _base bigint[], _name text[], _minute timestamptz[], _service text[], _callee text[],
    _answered bigint[], _failed bigint[], _refused bigint[], _lost bigint[], _kept interval) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    INSERT INTO traffic AS t (caller, minute, service, callee, caller_name, answered, failed, refused, lost)
    SELECT r.by, r.minute, r.service, r.callee, r.name, r.answered, r.failed, r.refused, r.lost
    FROM unnest(_by, _base, _name, _minute, _service, _callee, _answered, _failed, _refused, _lost)
        AS r (by, base, name, minute, service, callee, answered, failed, refused, lost)
    JOIN objects o ON o.uid = r.by AND o.revision = r.base
    ON CONFLICT (caller, minute, service, callee) DO UPDATE SET answered = t.answered + excluded.answered,
        failed = t.failed + excluded.failed, refused = t.refused + excluded.refused, lost = t.lost + excluded.lost;
    DELETE FROM traffic t USING (SELECT DISTINCT r.by, r.minute FROM unnest(_by, _minute) AS r (by, minute)) AS r
    WHERE t.caller = r.by AND t.minute < r.minute - _kept;
END
$$;
