-- +goose Up

-- The clock obeys. Every change of it is made under the counter, so that it has a place among the commits: it never goes
-- back, and no log.at before it is later than those after it. A change has no revision and no row of the log.
ALTER TABLE clock
    ADD version       bigint           NOT NULL DEFAULT 0, -- how often it has been changed
    ADD pace          double precision NOT NULL DEFAULT 1, -- its speed when it runs: what it goes back to after a pause
    ADD was           double precision NOT NULL DEFAULT 1, -- its speed until anchor_real, which a change sets a moment ahead (clock_change)
    ADD resumes       boolean          NOT NULL DEFAULT false, -- whether it runs again after the advance under way
    -- The advance under way, or the last. It is carried on by whichever replica finds that nothing is due (clock_step).
    ADD advance       text             NOT NULL DEFAULT 'none' CONSTRAINT clock_advance CHECK (advance IN ('none', 'running', 'done', 'interrupted')),
    ADD advance_from  timestamptz,
    ADD advance_to    timestamptz, -- NULL: to the next thing due, which is not known before all is settled
    ADD advance_ended timestamptz, -- where it came to
    ADD advance_steps bigint           NOT NULL DEFAULT 0,
    ADD CONSTRAINT clock_pace CHECK (pace > 0),
    ADD CONSTRAINT clock_stands CHECK (advance <> 'running' OR speed = 0);
ALTER TABLE clock SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The clock stops before years have five digits, which the API's times could not say. Sessions keep the plans of functions in this
-- language, and not of those in SQL.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION cluster_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT least(c.anchor_cluster + (t - c.anchor_real) * CASE WHEN t < c.anchor_real THEN c.was ELSE c.speed END, timestamptz '9000-01-01 00:00:00Z')
        FROM clock c, clock_timestamp() AS t);
END
$$;
-- +goose StatementEnd

-- A look that is to be taken again because it failed, or because others were in its way, waits in real time, whatever the
-- clock does: it has a time of retry instead of being due.
ALTER TABLE wakeups
    ALTER due DROP NOT NULL,
    ADD retry timestamptz, -- real time
    ADD CONSTRAINT wakeups_time CHECK ((due IS NULL) <> (retry IS NULL));
CREATE INDEX wakeups_retry ON wakeups (retry) WHERE retry IS NOT NULL;

-- back_off is the pause before a look that has failed so often is taken again: 5 ms, doubling up to 1,000 s; 15 ms where it has not
-- failed and others are only to finish what they are at.
-- Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/workqueue/default_rate_limiters.go, DefaultTypedControllerRateLimiter.
-- +goose StatementBegin
CREATE FUNCTION back_off(_attempt integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN _attempt <= 0 THEN interval '15 ms' ELSE least(interval '5 ms' * 2 ^ least(_attempt - 1, 20), interval '1000 s') END
$$;
-- +goose StatementEnd

-- amend replaces one passage of a function by another, and fails if the passage is not there.
-- +goose StatementBegin
CREATE FUNCTION amend(_function regproc, _old text, _new text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    text_ text := pg_get_functiondef(_function);
BEGIN
    IF strpos(text_, _old) = 0 THEN
        RAISE EXCEPTION 'the function % has no passage %', _function, _old;
    END IF;
    EXECUTE replace(text_, _old, _new);
END
$$;
-- +goose StatementEnd

-- The claims take what is to be retried as well, and with an object all that is to be retried of it: the look stands for it, and
-- knows how often the last ones have failed. The controller is compared in a way that keeps wakeups_due out, which a planner that
-- knows nothing of the tables prefers to wakeups_retry, although that is all but empty, and to wakeups_object.
-- +goose StatementBegin
SELECT amend('claim', $old$
        FOR NO KEY UPDATE OF o SKIP LOCKED);
$old$, $new$
        FOR NO KEY UPDATE OF o SKIP LOCKED);
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
$new$);
-- +goose StatementEnd
SELECT amend('claim', 'ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_',
    'ON w.uid = l.uid AND w.controller || '''' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)');
SELECT amend('claim', 'FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t',
    'FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t');
-- +goose StatementBegin
SELECT amend('claim_with_memory', $old$
        FOR NO KEY UPDATE OF o SKIP LOCKED);
$old$, $new$
        FOR NO KEY UPDATE OF o SKIP LOCKED);
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
$new$);
-- +goose StatementEnd
SELECT amend('claim_with_memory', 'ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_',
    'ON w.uid = l.uid AND w.controller || '''' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)');
SELECT amend('claim_with_memory', 'FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t',
    'FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t');

-- +goose StatementBegin
SELECT amend('claim_under',
    'FROM (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit) AS w',
    $new$FROM (
        WITH d AS (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit)
        TABLE d UNION ALL
        (SELECT * FROM wakeups r WHERE r.controller || '' = _controller AND r.retry IS NOT NULL
            AND (r.retry <= statement_timestamp() OR r.uid IN (SELECT d.uid FROM d))
         ORDER BY r.retry LIMIT _limit)) AS w$new$);
-- +goose StatementEnd
SELECT amend('claim_under', 'FROM (SELECT min(w.due) AS due FROM wakeups w WHERE w.controller = _controller AND w.due > now_) AS t',
    'FROM (SELECT (SELECT w.due FROM wakeups w WHERE w.controller = _controller AND w.due > now_ ORDER BY w.due LIMIT 1) AS due) AS t');

-- apply puts off in real time the looks that come without a due time, and those of plans of which a change was left out.
-- +goose StatementBegin
SELECT amend('apply', $old$
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT a.due, last, o.uid, a.attempt, _controller
$old$, $new$
        INSERT INTO wakeups (due, retry, cause, uid, attempt, controller)
        SELECT a.due, CASE WHEN a.due IS NULL THEN clock_timestamp() + back_off(a.attempt) END, last, o.uid, a.attempt, _controller
$new$);
-- +goose StatementEnd
-- +goose StatementBegin
SELECT amend('apply', $old$
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) now_ + interval '15 ms' * (SELECT speed FROM clock), last, o.uid, 0, _controller
$old$, $new$
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), last, o.uid, 0, _controller
$new$);
-- +goose StatementEnd

-- next_due says of each controller with work when its next is due: one probe of wakeups_due for each, by which it also
-- goes from one controller to the next.
-- +goose StatementBegin
CREATE FUNCTION next_due() RETURNS TABLE (controller text, due timestamptz)
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
END
$$;
-- +goose StatementEnd

-- clock_step takes the next step of the advance under way: if the cluster is settled, it sets the clock to the next time at
-- which something is due, or to its target. Settled means that no work is due and no look waits to be taken again, but for
-- those that have failed more than _patience times: nobody waits for them. As whoever does work acknowledges it in the
-- transaction that has its effects, this is so for the workers of all replicas as soon as one snapshot shows it; and under
-- the counter nobody can make it untrue. Any replica may call it at any time; it is cheap while there is work.
--
-- outcome is none (there is no advance) · busy · stepped · done; woken are the controllers that have work now.
-- +goose StatementBegin
CREATE FUNCTION clock_step(_patience integer, OUT outcome text, OUT now timestamptz, OUT speed double precision, OUT version bigint, OUT woken text[])
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
        now := c.anchor_cluster; -- it stands still
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
    IF c.advance_to IS NULL THEN -- now it is known; that Events expire is nothing to stop for
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
-- +goose StatementEnd

-- clock_change makes the one row of the clock what it is to be when it is changed, under the counter. Who reads the clock waits for nobody,
-- and so goes by the row before the change for as long as that is not committed: a clock that runs goes on running, as before, for 50 ms, by when
-- it is. anchor_real is then ahead; before it has come, nothing else can be changed (NULL).
-- +goose StatementBegin
CREATE FUNCTION clock_change() RETURNS clock LANGUAGE plpgsql VOLATILE AS $$
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
    c.anchor_cluster := least(greatest(c.anchor_cluster + (at_ - c.anchor_real) * c.speed, (SELECT v.at FROM revision v)), timestamptz '9000-01-01 00:00:00Z');
    c.anchor_real := at_;
    c.was := c.speed;
    c.version := c.version + 1;
    RETURN c;
END
$$;
-- +goose StatementEnd

-- clock_set makes the clock run or stand still: _speed, more than 0, is the speed that it has from now on when it runs, NULL to leave
-- that as it is. outcome is ok · advancing (an advance is under way) · changing (in a moment, another change will have taken effect).
-- +goose StatementBegin
CREATE FUNCTION clock_set(_running boolean, _speed double precision, OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
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
-- +goose StatementEnd

-- clock_advance makes the clock stand still and has it advanced, by a span of time, to a time, or, if both are NULL, to the next thing
-- due. outcome is as in clock_set · backwards · beyond (the clock does not go so far).
-- +goose StatementBegin
CREATE FUNCTION clock_advance(_by interval, _to timestamptz, OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
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
-- +goose StatementEnd

-- clock_interrupt ends the advance under way where it has come to; the clock runs again if it ran before. outcome is ok · none (there is
-- no advance) · changing.
-- +goose StatementBegin
CREATE FUNCTION clock_interrupt(OUT outcome text) LANGUAGE plpgsql VOLATILE AS $$
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
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION clock_interrupt;
DROP FUNCTION clock_advance;
DROP FUNCTION clock_set;
DROP FUNCTION clock_change;
DROP FUNCTION clock_step;
DROP FUNCTION next_due;
-- +goose StatementBegin
SELECT amend('apply', $new$
        INSERT INTO wakeups (retry, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), last, o.uid, 0, _controller
$new$, $old$
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT DISTINCT ON (o.uid) now_ + interval '15 ms' * (SELECT speed FROM clock), last, o.uid, 0, _controller
$old$);
-- +goose StatementEnd
-- +goose StatementBegin
SELECT amend('apply', $new$
        INSERT INTO wakeups (due, retry, cause, uid, attempt, controller)
        SELECT a.due, CASE WHEN a.due IS NULL THEN clock_timestamp() + back_off(a.attempt) END, last, o.uid, a.attempt, _controller
$new$, $old$
        INSERT INTO wakeups (due, cause, uid, attempt, controller)
        SELECT a.due, last, o.uid, a.attempt, _controller
$old$);
-- +goose StatementEnd
SELECT amend('claim_under', 'FROM (SELECT (SELECT w.due FROM wakeups w WHERE w.controller = _controller AND w.due > now_ ORDER BY w.due LIMIT 1) AS due) AS t',
    'FROM (SELECT min(w.due) AS due FROM wakeups w WHERE w.controller = _controller AND w.due > now_) AS t');
-- +goose StatementBegin
SELECT amend('claim_under',
    $new$FROM (
        WITH d AS (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit)
        TABLE d UNION ALL
        (SELECT * FROM wakeups r WHERE r.controller || '' = _controller AND r.retry IS NOT NULL
            AND (r.retry <= statement_timestamp() OR r.uid IN (SELECT d.uid FROM d))
         ORDER BY r.retry LIMIT _limit)) AS w$new$,
    'FROM (SELECT * FROM wakeups d WHERE d.controller = _controller AND d.due <= now_ ORDER BY d.due LIMIT _limit) AS w');
-- +goose StatementEnd
SELECT amend('claim_with_memory', 'FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t',
    'FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t');
SELECT amend('claim_with_memory', 'ON w.uid = l.uid AND w.controller || '''' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)',
    'ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_');
-- +goose StatementBegin
SELECT amend('claim_with_memory', $new$
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
$new$, $old$
$old$);
-- +goose StatementEnd
SELECT amend('claim', 'FROM (SELECT (SELECT w.due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0) ORDER BY w.due LIMIT 1) AS due) AS t',
    'FROM (SELECT min(w.due) AS due FROM wakeups w
              WHERE w.controller = _controller AND (w.due > now_ OR cardinality(locked) = 0)) AS t');
SELECT amend('claim', 'ON w.uid = l.uid AND w.controller || '''' = _controller AND (w.due <= now_ OR w.retry IS NOT NULL)',
    'ON w.uid = l.uid AND w.controller = _controller AND w.due <= now_');
-- +goose StatementBegin
SELECT amend('claim', $new$
    IF cardinality(locked) < _limit THEN
        locked := locked || ARRAY(
            SELECT o.uid FROM wakeups w JOIN objects o ON o.uid = w.uid
            WHERE w.controller || '' = _controller AND w.retry <= statement_timestamp()
            ORDER BY w.retry LIMIT _limit - cardinality(locked)
            FOR NO KEY UPDATE OF o SKIP LOCKED);
    END IF;
$new$, $old$
$old$);
-- +goose StatementEnd
DROP FUNCTION amend;
DROP FUNCTION back_off;
DROP INDEX wakeups_retry;
ALTER TABLE wakeups DROP CONSTRAINT wakeups_time;
UPDATE wakeups SET due = cluster_now() WHERE due IS NULL;
ALTER TABLE wakeups ALTER due SET NOT NULL, DROP retry;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION cluster_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT anchor_cluster + (clock_timestamp() - anchor_real) * speed FROM clock
$$;
-- +goose StatementEnd
ALTER TABLE clock RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
ALTER TABLE clock
    DROP CONSTRAINT clock_stands, DROP CONSTRAINT clock_pace,
    DROP version, DROP pace, DROP was, DROP resumes, DROP advance, DROP advance_from, DROP advance_to, DROP advance_ended, DROP advance_steps;
