-- +goose Up

-- Who asks for a look is written with it, as the log says what led to each change. Where several changes are made at once, it is the one
-- that asks, and no other:
--
--   * a look that is to be taken later, or again, is asked for by what asked for the look that put it off, and if several have asked
--     for one at the same time, by what asked for the first of them;
--   * so is another look of a controller at the object that it has just changed: it is part of the same reaction;
--   * dependents are looked at because of their owner's removal, Services because of a Pod, quotas because of what is charged to them.
--
-- A look for which nothing has asked, as the first for Events that expire, has the cause 0.
-- +goose StatementBegin
SELECT amend_all('apply',
$$_again_attempt integer[], _quota jsonb, OUT outcomes$$,
$$_again_attempt integer[], _again_cause bigint[], _quota jsonb, OUT outcomes$$,

$$            SELECT now_, last, o.uid, 0, 'garbagecollector'
            FROM unnest(deleted) AS d (uid) JOIN owners o ON o.owner = d.uid
            WHERE NOT o.uid = ANY (deleted);$$,
$$            SELECT now_, d.rev, o.uid, 0, 'garbagecollector'
            FROM unnest(rev, _verb, _uid) AS d (rev, verb, uid) JOIN owners o ON o.owner = d.uid
            WHERE d.verb = 'd' AND d.rev IS NOT NULL AND NOT o.uid = ANY (deleted);$$,

$$SELECT w.controller, w.uid, w.due, w.terminating, max(rev[w.i]) AS rev$$,
$$SELECT w.controller, w.uid, w.due, w.terminating,
                        max(CASE WHEN w.controller = _controller AND w.uid = _uid[w.i] AND _cause[w.i] <> 0 THEN greatest(_cause[w.i], 0) ELSE rev[w.i] END) AS rev$$,

$$THEN clock_timestamp() + back_off(a.attempt) END, last, o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt) AS a (uid, due, attempt) JOIN objects o ON o.uid = a.uid;$$,
$$THEN clock_timestamp() + back_off(a.attempt) END, greatest(a.cause, 0), o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt, _again_cause) AS a (uid, due, attempt, cause) JOIN objects o ON o.uid = a.uid
        -- A time that an earlier look has asked for already is waited for on its account: whoever holds the object's lock sees that it is.
        WHERE a.due IS NULL OR NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = a.uid AND w.controller || '' = _controller AND w.due + interval '0' = a.due);$$,

$$SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), last, o.uid, 0, _controller
        FROM unnest(outcome, _plan) AS c (outcome, plan) JOIN objects o ON o.uid = c.plan$$,
$$SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), greatest(c.cause, 0), o.uid, 0, _controller
        FROM unnest(outcome, _plan, _cause) AS c (outcome, plan, cause) JOIN objects o ON o.uid = c.plan$$);
-- +goose StatementEnd

-- wake_endpoints is told, of each set of labels and each name, the object whose change asks: its newest version is the cause.
-- +goose StatementBegin
SELECT amend_all('wake_endpoints',
$$_name text[], _controller text[], OUT woken$$,
$$_name text[], _controller text[], _selected uuid[], _changed uuid[], _changed_resource text[], OUT woken$$,

$$clock_timestamp() + interval '100 ms', value_, s.uid, 0, s.controller
        FROM unnest(_namespace, _labels) AS c (namespace, labels)$$,
$$clock_timestamp() + interval '100 ms',
            coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = 'pods' AND l.uid = c.uid), value_), s.uid, 0, s.controller
        FROM unnest(_namespace, _labels, _selected) AS c (namespace, labels, uid)$$,

$$SELECT DISTINCT ON (o.uid, c.controller) now_, value_, o.uid, 0, c.controller
            FROM unnest(_resource, _in, _name, _controller) AS c (resource, namespace, name, controller)$$,
$$SELECT DISTINCT ON (o.uid, c.controller) now_,
                coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = c.changed AND l.uid = c.uid), value_), o.uid, 0, c.controller
            FROM unnest(_resource, _in, _name, _controller, _changed, _changed_resource) AS c (resource, namespace, name, controller, uid, changed)$$);
-- +goose StatementEnd

-- +goose StatementBegin
SELECT amend_all('charge_quotas',
$$SELECT DISTINCT _now, _last, u.quota, 0, 'resourcequota' FROM u WHERE$$,
$$SELECT DISTINCT _now, (SELECT max(c.revision) FROM unnest(_revision, _slot) AS c (revision, slot) WHERE _quota[c.slot] = u.quota),
                u.quota, 0, 'resourcequota' FROM u WHERE$$,
$$woken := woken || wake_waiters(freed, _last, _now);$$,
$$woken := woken || wake_waiters(freed,
            coalesce((SELECT max(c.revision) FROM unnest(_revision, _amount) AS c (revision, amount) WHERE c.amount < 0), _last), _now);$$);
SELECT amend_all('recount',
$$VALUES (now_, value_, _quota, 0, 'resourcequota');$$,
$$VALUES (now_, _since, _quota, 0, 'resourcequota');$$,
$$wake_waiters(ARRAY[namespace_], value_, now_)$$,
$$wake_waiters(ARRAY[namespace_], _since, now_)$$);
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT amend_all('recount',
$$VALUES (now_, _since, _quota, 0, 'resourcequota');$$,
$$VALUES (now_, value_, _quota, 0, 'resourcequota');$$,
$$wake_waiters(ARRAY[namespace_], _since, now_)$$,
$$wake_waiters(ARRAY[namespace_], value_, now_)$$);
SELECT amend_all('charge_quotas',
$$SELECT DISTINCT _now, (SELECT max(c.revision) FROM unnest(_revision, _slot) AS c (revision, slot) WHERE _quota[c.slot] = u.quota),
                u.quota, 0, 'resourcequota' FROM u WHERE$$,
$$SELECT DISTINCT _now, _last, u.quota, 0, 'resourcequota' FROM u WHERE$$,
$$woken := woken || wake_waiters(freed,
            coalesce((SELECT max(c.revision) FROM unnest(_revision, _amount) AS c (revision, amount) WHERE c.amount < 0), _last), _now);$$,
$$woken := woken || wake_waiters(freed, _last, _now);$$);
SELECT amend_all('wake_endpoints',
$$_name text[], _controller text[], _selected uuid[], _changed uuid[], _changed_resource text[], OUT woken$$,
$$_name text[], _controller text[], OUT woken$$,
$$clock_timestamp() + interval '100 ms',
            coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = 'pods' AND l.uid = c.uid), value_), s.uid, 0, s.controller
        FROM unnest(_namespace, _labels, _selected) AS c (namespace, labels, uid)$$,
$$clock_timestamp() + interval '100 ms', value_, s.uid, 0, s.controller
        FROM unnest(_namespace, _labels) AS c (namespace, labels)$$,
$$SELECT DISTINCT ON (o.uid, c.controller) now_,
                coalesce((SELECT max(l.revision) FROM log l WHERE l.resource = c.changed AND l.uid = c.uid), value_), o.uid, 0, c.controller
            FROM unnest(_resource, _in, _name, _controller, _changed, _changed_resource) AS c (resource, namespace, name, controller, uid, changed)$$,
$$SELECT DISTINCT ON (o.uid, c.controller) now_, value_, o.uid, 0, c.controller
            FROM unnest(_resource, _in, _name, _controller) AS c (resource, namespace, name, controller)$$);
SELECT amend_all('apply',
$$SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), greatest(c.cause, 0), o.uid, 0, _controller
        FROM unnest(outcome, _plan, _cause) AS c (outcome, plan, cause) JOIN objects o ON o.uid = c.plan$$,
$$SELECT DISTINCT ON (o.uid) clock_timestamp() + back_off(0), last, o.uid, 0, _controller
        FROM unnest(outcome, _plan) AS c (outcome, plan) JOIN objects o ON o.uid = c.plan$$,
$$THEN clock_timestamp() + back_off(a.attempt) END, greatest(a.cause, 0), o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt, _again_cause) AS a (uid, due, attempt, cause) JOIN objects o ON o.uid = a.uid
        -- A time that an earlier look has asked for already is waited for on its account: whoever holds the object's lock sees that it is.
        WHERE a.due IS NULL OR NOT EXISTS (SELECT FROM wakeups w WHERE w.uid = a.uid AND w.controller || '' = _controller AND w.due + interval '0' = a.due);$$,
$$THEN clock_timestamp() + back_off(a.attempt) END, last, o.uid, a.attempt, _controller
        FROM unnest(_again, _again_due, _again_attempt) AS a (uid, due, attempt) JOIN objects o ON o.uid = a.uid;$$,
$$SELECT w.controller, w.uid, w.due, w.terminating,
                        max(CASE WHEN w.controller = _controller AND w.uid = _uid[w.i] AND _cause[w.i] <> 0 THEN greatest(_cause[w.i], 0) ELSE rev[w.i] END) AS rev$$,
$$SELECT w.controller, w.uid, w.due, w.terminating, max(rev[w.i]) AS rev$$,
$$            SELECT now_, d.rev, o.uid, 0, 'garbagecollector'
            FROM unnest(rev, _verb, _uid) AS d (rev, verb, uid) JOIN owners o ON o.owner = d.uid
            WHERE d.verb = 'd' AND d.rev IS NOT NULL AND NOT o.uid = ANY (deleted);$$,
$$            SELECT now_, last, o.uid, 0, 'garbagecollector'
            FROM unnest(deleted) AS d (uid) JOIN owners o ON o.owner = d.uid
            WHERE NOT o.uid = ANY (deleted);$$,
$$_again_attempt integer[], _again_cause bigint[], _quota jsonb, OUT outcomes$$,
$$_again_attempt integer[], _quota jsonb, OUT outcomes$$);
-- +goose StatementEnd
