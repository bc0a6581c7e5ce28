-- clock_change makes the one row of the clock what it is to be when it is changed, under the counter. Who reads the clock waits for nobody,
-- and so goes by the row before the change for as long as that is not committed: a clock that runs goes on running, as before, for 50 ms, by when
-- it is. anchor_real is then ahead; before it has come, nothing else can be changed (NULL).
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
