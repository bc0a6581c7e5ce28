-- clock_interrupt ends the current advance at the time that it has reached; the clock runs again if
-- it ran before. outcome is ok · none (there is no advance) · changing.
CREATE OR REPLACE FUNCTION clock_interrupt(OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c clock := clock_change();
BEGIN
    outcome := CASE WHEN c IS NULL THEN 'changing' WHEN c.advance <> 'running' THEN 'none' ELSE 'ok' END;
    IF outcome = 'ok' THEN
        UPDATE clock SET version = c.version, anchor_real = c.anchor_real, anchor_cluster = c.anchor_cluster, was = c.was,
            speed = CASE WHEN c.resumes THEN c.pace ELSE 0 END, advance = 'interrupted', advance_ended = c.anchor_cluster;
    END IF;
END
$$;
