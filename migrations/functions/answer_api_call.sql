-- answer_api_call answers a Pod's request to the API server that the replica _server has taken, and
-- wakes the Pod's kubelet when the answer arrives: a millisecond later or, while the clock is
-- paused and nothing advances it, at once, as between Pods. It does nothing if the Pod does not
-- wait any more, or if another replica has answered. It waits for one row and then for the counter
-- (S2).
CREATE OR REPLACE FUNCTION answer_api_call(_server integer, _caller uuid, _number bigint, _at timestamptz, _answer bytea, OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    arrival timestamptz;
BEGIN
    SELECT cluster_now() + CASE WHEN c.speed = 0 AND c.advance <> 'running' AND clock_timestamp() >= c.anchor_real THEN interval '0' ELSE interval '1 ms' END
        INTO arrival FROM clock c;
    UPDATE calls c SET answer = _answer, due = arrival
        WHERE c.caller = _caller AND c.number = _number AND c.at = _at AND c.server = _server AND c.answer IS NULL;
    IF FOUND THEN
        SELECT w.woken INTO woken FROM wake_later(ARRAY['kubelet'], ARRAY[_caller], ARRAY[(SELECT v.value FROM revision v)], ARRAY[arrival]) AS w;
    END IF;
END
$$;
