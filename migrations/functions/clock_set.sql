-- clock_set makes the clock run or pause. _speed, more than 0, is its speed from now on when it
-- runs; NULL leaves it unchanged. outcome is ok · advancing (an advance is under way) · changing
-- (another change takes effect in a moment).
CREATE OR REPLACE FUNCTION clock_set(_running boolean, _speed double precision, OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c clock := clock_change();
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance = 'running' THEN 'advancing' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            pace = coalesce(_speed, c.pace), speed = CASE WHEN _running THEN coalesce(_speed, c.pace) ELSE 0 END;
    END IF;
END
$$;
