-- clock_step takes the next step of the current advance: if the cluster is settled, it sets the
-- clock to the next time at which something is due, or to its target. Settled means that no work is
-- due and no sync waits to be retried, except those that have failed more than _patience times,
-- which are not waited for. Every worker acknowledges work in the transaction that has its effects,
-- so as soon as one snapshot shows the cluster as settled, it is so for the workers of all
-- replicas; and under the counter no transaction can change that. Any replica may call it at any
-- time; it is cheap while there is work.
--
-- outcome is 'none' without an advance, or 'busy', 'stepped' or 'done'; woken are the controllers that now
-- have work.
CREATE OR REPLACE FUNCTION clock_step(_patience integer, OUT outcome text, OUT now timestamptz, OUT speed double precision, OUT version bigint, OUT woken text[])
LANGUAGE plpgsql VOLATILE
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    c     clock;
    names text[]; -- of controllers with work
    dues  timestamptz[];
    next_ timestamptz;
BEGIN
    FOR under_the_counter IN 0 .. 1 LOOP
        IF under_the_counter = 1 THEN
            PERFORM FROM revision FOR UPDATE;
        END IF;
        SELECT * INTO c FROM clock;
        now := c.anchor_cluster; -- the clock is paused
        speed := c.speed;
        version := c.version;
        outcome := 'none';
        IF c.advance <> 'running' THEN
            RETURN;
        END IF;
        SELECT array_agg(d.controller), array_agg(d.due) INTO names, dues FROM next_due() d;
        SELECT array_agg(d.name) INTO woken FROM unnest(names, dues) AS d (name, due) WHERE d.due <= clock_step.now;
        outcome := 'busy';
        IF clock_timestamp() < c.anchor_real OR woken IS NOT NULL OR EXISTS (SELECT FROM wakeups w WHERE w.retry IS NOT NULL AND w.attempt <= _patience) THEN
            RETURN;
        END IF;
    END LOOP;

    c.version := c.version + 1;
    c.anchor_real := clock_timestamp();
    IF c.advance_to IS NULL THEN -- it is known now; the expiry of Events is nothing to stop for
        SELECT coalesce(min(d.due), now) INTO c.advance_to FROM unnest(names, dues) AS d (name, due) WHERE d.name <> 'eventexpiry';
    END IF;
    SELECT min(d.due) INTO next_ FROM unnest(dues) AS d (due);
    outcome := 'stepped';
    IF next_ IS NULL OR next_ > c.advance_to THEN
        outcome := 'done';
        next_ := c.advance_to;
        c.advance := 'done';
        c.advance_ended := next_;
        IF c.resumes THEN
            c.speed := c.pace;
        END IF;
    END IF;
    c.anchor_cluster := next_;
    IF next_ > now THEN
        c.advance_steps := c.advance_steps + 1;
    END IF;
    UPDATE clock k SET anchor_cluster = c.anchor_cluster, anchor_real = c.anchor_real, speed = c.speed, version = c.version,
        advance = c.advance, advance_to = c.advance_to, advance_ended = c.advance_ended, advance_steps = c.advance_steps;
    now := next_;
    speed := c.speed;
    version := c.version;
    SELECT array_agg(d.name) INTO woken FROM unnest(names, dues) AS d (name, due) WHERE d.due <= clock_step.now;
END
$$;
