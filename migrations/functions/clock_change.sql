-- clock_change prepares the one row of the clock for a change, under the counter. Readers of the
-- clock wait for nothing, so they use the row before the change until that is committed: a running
-- clock runs on as before for 50 ms, by which time the change is committed. anchor_real is then in
-- the future; until it has
-- passed, nothing else can be changed (NULL).
CREATE OR REPLACE FUNCTION clock_change() RETURNS clock LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c   clock;
    at_ timestamptz;
BEGIN
    PERFORM FROM revision FOR UPDATE;
    SELECT * INTO c FROM clock;
    IF clock_timestamp() < c.anchor_real THEN
        RETURN NULL;
    END IF;
    at_ := clock_timestamp() + CASE WHEN c.speed > 0 THEN interval '50 ms' ELSE interval '0' END;
    c.anchor_cluster := least(greatest(c.anchor_cluster + (at_ - c.anchor_real) * c.speed + CASE WHEN c.speed <> trunc(c.speed) THEN interval '1 us' ELSE interval '0' END, (SELECT v.at FROM revision v)), timestamptz '9000-01-01 00:00:00Z');
    c.anchor_real := at_;
    c.was := c.speed;
    c.version := c.version + 1;
    RETURN c;
END
$$;
