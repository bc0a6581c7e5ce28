-- exchange posts, answers and removes calls of Pods, in the transaction of the plans that say so.
-- by is the Pod whose plan it is: if the Pod is not at the revision that the plan was computed
-- from, its calls are skipped, as remember skips its memory. Calls are locked in one order, so that
-- two such transactions, which may wait for each other's calls, cannot deadlock; it comes before
-- the counter is locked (S2). The answer \x00 says that a server has taken the call and answers
-- later. A Pod that has _backlog calls to answer takes no more: such a call gets an empty answer at
-- once. Five times as many may wait at the API server.
CREATE OR REPLACE FUNCTION exchange(
    _by uuid[], _base bigint[], _caller uuid[], _number bigint[], _callee uuid[], _at timestamptz[], _due timestamptz[], _query bytea[], _answer bytea[], _removed boolean[],
    _backlog bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    r       record;
    waiting bigint;
    most    bigint;
BEGIN
    FOR r IN
        SELECT c.* FROM unnest(_by, _base, _caller, _number, _callee, _at, _due, _query, _answer, _removed) WITH ORDINALITY
            AS c (by, base, caller, number, callee, at, due, query, answer, removed, i)
        JOIN objects o ON o.uid = c.by AND o.revision = c.base
        ORDER BY c.caller, c.number, c.i
    LOOP
        IF r.removed THEN
            DELETE FROM calls c WHERE c.caller = r.caller AND c.number = r.number AND c.at = r.at;
        ELSIF r.answer IS NOT NULL THEN
            UPDATE calls c SET answer = r.answer, due = r.due
                WHERE c.caller = r.caller AND c.number = r.number AND c.at = r.at AND (c.answer IS NULL OR c.answer = '\x00'::bytea);
        ELSE
            most := _backlog * CASE WHEN r.callee = '00000000-0000-0000-0000-0000000000a9' THEN 5 ELSE 1 END;
            SELECT count(*) INTO waiting FROM (
                SELECT FROM calls c WHERE c.callee = r.callee AND c.answer IS NULL LIMIT most) AS c;
            INSERT INTO calls AS c (caller, number, callee, at, due, query, answer)
            VALUES (r.caller, r.number, r.callee, r.at, r.due, r.query, CASE WHEN waiting >= most THEN ''::bytea END)
            ON CONFLICT (caller, number) DO UPDATE SET callee = excluded.callee, at = excluded.at, due = excluded.due, query = excluded.query, answer = excluded.answer, server = NULL;
        END IF;
    END LOOP;
END
$$;
