-- +goose Up

-- The counter. Whoever holds the lock on its one row may commit the next revisions, so commits have an order
-- and revisions no gaps (S1, S3). The row is rewritten by every commit: nearly empty pages keep that heap-only.
CREATE TABLE revision (
    one       boolean     PRIMARY KEY DEFAULT true CONSTRAINT revision_is_one_row CHECK (one),
    value     bigint      NOT NULL, -- the newest committed revision
    compacted bigint      NOT NULL, -- versions superseded at or below this revision are gone (S8)
    at        timestamptz NOT NULL  -- cluster time of the newest commit; never decreases
) WITH (fillfactor = 10);
INSERT INTO revision (value, compacted, at) VALUES (0, 0, '-infinity');

-- The heads: one narrow row for each live object. Its lock is the object's lock. No index holds `revision`, so that
-- updates stay heap-only (S5).
CREATE TABLE objects (
    uid         uuid    PRIMARY KEY,
    revision    bigint  NOT NULL,
    terminating boolean NOT NULL, -- the object has a deletionTimestamp; nothing may be created in such a namespace
    resource    text    NOT NULL,
    namespace   text    NOT NULL, -- '' for cluster-scoped objects
    name        text    NOT NULL,
    CONSTRAINT objects_name UNIQUE (resource, namespace, name)
) WITH (fillfactor = 60);

-- Locks that are not an object's: a reconciler that decides across objects claims one of these rows. They have no
-- version in the log, and so are never seen by the mirror or by clients.
INSERT INTO objects (uid, revision, terminating, resource, namespace, name) VALUES
    ('00000000-0000-0000-0000-000000000001', 0, false, 'locks.rowlock', '', 'scheduler'),
    ('00000000-0000-0000-0000-000000000003', 0, false, 'locks.rowlock', '', 'housekeeping');

-- Every version of every object. Bodies are written once, here, uncompressed and in line up to a page: compressing them
-- costs more than writing them.
CREATE TABLE log (
    revision  bigint      PRIMARY KEY,
    at        timestamptz NOT NULL,
    cause     bigint      NOT NULL, -- the revision that led to this one; 0: a client's request did
    uid       uuid        NOT NULL,
    verb      "char"      NOT NULL CONSTRAINT log_verb CHECK (verb IN ('c', 'u', 'd')),
    resource  text        NOT NULL,
    namespace text        NOT NULL,
    name      text        NOT NULL,
    writer    text        NOT NULL,
    body      json                  -- NULL in a tombstone whose last state is the version before it
) WITH (toast_tuple_target = 8160);
ALTER TABLE log ALTER COLUMN body SET STORAGE EXTERNAL;
-- The versions of one object, and of one resource object by object: exact reads, watches from the log, compaction.
CREATE INDEX log_object ON log (resource, uid, revision);

-- Who depends on whom. References to uids that are no UUID can have no owner here and have no row.
CREATE TABLE owners (
    owner uuid NOT NULL,
    uid   uuid NOT NULL,
    PRIMARY KEY (owner, uid)
);
CREATE INDEX owners_uid ON owners (uid);

-- What each workload selects: a Pod whose labels contain `match` may be its.
CREATE TABLE selectors (
    uid        uuid  PRIMARY KEY,
    namespace  text  NOT NULL,
    controller text  NOT NULL, -- the reconciler to wake
    match      jsonb NOT NULL  -- the equality part of the selector; set-based parts only narrow it further
);
CREATE INDEX selectors_namespace ON selectors (namespace);

-- Due work: "let this controller look at this object, at this time". Rows are inserted and deleted, never updated (S6).
CREATE TABLE wakeups (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    due        timestamptz NOT NULL, -- cluster time
    cause      bigint      NOT NULL, -- the revision that asked for the look
    uid        uuid        NOT NULL,
    attempt    integer     NOT NULL, -- how often the look has failed before
    controller text        NOT NULL
);
CREATE INDEX wakeups_due ON wakeups (controller, due);
CREATE INDEX wakeups_object ON wakeups (uid, controller);
ALTER TABLE wakeups  SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE revision SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The cluster's clock: cluster time was anchor_cluster when real time was anchor_real, and passes speed times as fast.
CREATE TABLE clock (
    one            boolean          PRIMARY KEY DEFAULT true CONSTRAINT clock_is_one_row CHECK (one),
    anchor_cluster timestamptz      NOT NULL,
    anchor_real    timestamptz      NOT NULL,
    speed          double precision NOT NULL CONSTRAINT clock_speed CHECK (speed >= 0)
);
INSERT INTO clock (anchor_cluster, anchor_real, speed) SELECT t, t, 1 FROM clock_timestamp() AS t;

-- Pod addresses are drawn from here, in blocks; a number comes back after eight million others, and is then checked.
CREATE SEQUENCE addresses AS integer MINVALUE 0 MAXVALUE 8388607 CYCLE;

-- +goose StatementBegin
CREATE FUNCTION cluster_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT anchor_cluster + (clock_timestamp() - anchor_real) * speed FROM clock
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION cluster_now();
DROP SEQUENCE addresses;
DROP TABLE clock, wakeups, selectors, owners, log, objects, revision;
