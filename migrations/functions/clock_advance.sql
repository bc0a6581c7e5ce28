-- clock_advance pauses the clock and starts an advance: by a span, to a time, or, if both are NULL,
-- to the next due time. outcome is as in clock_set · backwards · beyond (the clock does not go that
-- far).
CREATE OR REPLACE FUNCTION clock_advance(_by interval, _to timestamptz, OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c      clock := clock_change();
    target timestamptz := coalesce(_to, c.anchor_cluster + _by);
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance = 'running' THEN 'advancing' WHEN target < c.anchor_cluster THEN 'backwards'
        WHEN target > timestamptz '9000-01-01 00:00:00Z' THEN 'beyond' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            speed = 0, resumes = c.speed > 0,
            advance = 'running', advance_from = c.anchor_cluster, advance_to = target, advance_ended = NULL, advance_steps = 0;
    END IF;
END
$$;
