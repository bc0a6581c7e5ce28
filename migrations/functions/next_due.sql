-- next_due returns, for each controller with work, when its next is due: one probe of wakeups_due
-- per controller, which also finds the next controller. Pods' requests to the API server that are
-- not answered yet are work too, under the name apiserver: an advance of the clock waits for them.
CREATE OR REPLACE FUNCTION next_due() RETURNS TABLE (controller text, due timestamptz)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
    RETURN QUERY WITH RECURSIVE c AS (
        (SELECT w.controller FROM wakeups w ORDER BY w.controller, w.due LIMIT 1)
        UNION ALL
        SELECT (SELECT w.controller FROM wakeups w WHERE w.controller > c.controller ORDER BY w.controller, w.due LIMIT 1)
        FROM c WHERE c.controller IS NOT NULL)
    SELECT c.controller, (SELECT w.due FROM wakeups w WHERE w.controller = c.controller ORDER BY w.due LIMIT 1) FROM c WHERE c.controller IS NOT NULL;
    RETURN QUERY SELECT 'apiserver', a.due
        FROM (SELECT min(c.due) AS due FROM calls c WHERE c.callee = '00000000-0000-0000-0000-0000000000a9' AND c.answer IS NULL) AS a WHERE a.due IS NOT NULL;
END
$$;
