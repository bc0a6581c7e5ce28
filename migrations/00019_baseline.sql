-- +goose Up

-- All tables, as one file: what the numbers 1 to 19 made, one after another, before this was written. A database that they
-- made is at version 19, and so this file is never run there. The functions are in the folder functions.

-- The counter. Whoever holds the lock on its one row may commit the next revisions, so commits have an order
-- and revisions no gaps (S1, S3). The row is rewritten by every commit: nearly empty pages keep that heap-only.
CREATE TABLE revision (
    one       boolean     PRIMARY KEY DEFAULT true CONSTRAINT revision_is_one_row CHECK (one),
    value     bigint      NOT NULL, -- the newest committed revision
    compacted bigint      NOT NULL, -- versions superseded at or below this revision are gone (S8)
    at        timestamptz NOT NULL  -- cluster time of the newest commit; never decreases
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
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

-- What each workload and each Service selects: a Pod whose labels contain `match` may be its.
CREATE TABLE selectors (
    uid        uuid  PRIMARY KEY,
    namespace  text  NOT NULL,
    controller text  NOT NULL, -- the reconciler to wake; 'endpoints' for Services
    match      jsonb NOT NULL  -- the equality part of the selector; set-based parts only narrow it further
);
CREATE INDEX selectors_namespace ON selectors (namespace);
CREATE INDEX selectors_endpoints ON selectors (namespace) WHERE controller = 'endpoints';

-- What only one object of the cluster may have: addresses and ports, by the key under which a kind names them
-- ("clusterip/10.96.0.1"). apply keeps them under the counter, and they go with their object.
CREATE TABLE reservations (
    key text PRIMARY KEY,
    uid uuid NOT NULL
);
CREATE INDEX reservations_uid ON reservations (uid);

-- Pod addresses are drawn from here, in blocks; a number comes back after eight million others, and is then checked.
CREATE SEQUENCE addresses AS integer MINVALUE 0 MAXVALUE 8388607 CYCLE;

-- Due work: "let this controller reconcile this object, at this time". Rows are inserted and deleted, never updated (S6).
-- Work that failed, or that others were in the way of, waits in real time, whatever the cluster's clock does: it has a time
-- of retry instead of being due.
CREATE TABLE wakeups (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    due        timestamptz,          -- cluster time
    cause      bigint      NOT NULL, -- the revision that asked for it; 0: none did; -1: the resync did
    uid        uuid        NOT NULL,
    attempt    integer     NOT NULL, -- how often it has failed before
    controller text        NOT NULL,
    retry      timestamptz,          -- real time
    CONSTRAINT wakeups_time CHECK ((due IS NULL) <> (retry IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX wakeups_due ON wakeups (controller, due);
CREATE INDEX wakeups_object ON wakeups (uid, controller);
CREATE INDEX wakeups_retry ON wakeups (retry) WHERE retry IS NOT NULL;

-- The cluster's clock: cluster time was anchor_cluster when real time was anchor_real, and passes speed times as fast. Every
-- change of it is made under the counter, so that it has a place among the commits: it never goes back, and no log.at before
-- it is later than those after it. A change has no revision and no row of the log.
CREATE TABLE clock (
    one            boolean          PRIMARY KEY DEFAULT true CONSTRAINT clock_is_one_row CHECK (one),
    anchor_cluster timestamptz      NOT NULL,
    anchor_real    timestamptz      NOT NULL,
    speed          double precision NOT NULL CONSTRAINT clock_speed CHECK (speed >= 0),
    version        bigint           NOT NULL DEFAULT 0, -- how often it has been changed
    pace           double precision NOT NULL DEFAULT 1, -- its speed when it runs: what it goes back to after a pause
    was            double precision NOT NULL DEFAULT 1, -- its speed until anchor_real, which a change sets a moment ahead (clock_change)
    resumes        boolean          NOT NULL DEFAULT false, -- whether it runs again after the advance under way
    -- The advance under way, or the last. It is carried on by whichever replica finds that nothing is due (clock_step).
    advance        text             NOT NULL DEFAULT 'none' CONSTRAINT clock_advance CHECK (advance IN ('none', 'running', 'done', 'interrupted')),
    advance_from   timestamptz,
    advance_to     timestamptz, -- NULL: to the next thing due, which is not known before all is settled
    advance_ended  timestamptz, -- where it came to
    advance_steps  bigint           NOT NULL DEFAULT 0,
    CONSTRAINT clock_pace CHECK (pace > 0),
    CONSTRAINT clock_stands CHECK (advance <> 'running' OR speed = 0)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
INSERT INTO clock (anchor_cluster, anchor_real, speed) SELECT t, t, 1 FROM clock_timestamp() AS t;

-- The first removal of expired Events; each asks for the next.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
VALUES (clock_timestamp(), 0, '00000000-0000-0000-0000-000000000003', 0, 'eventexpiry');

-- How far the resync has come: the safety net that has everything reconciled without a reason, slowly. One row, shared by all
-- replicas. Its times are real times, whatever the cluster's clock does.
CREATE TABLE resync (
    one   boolean     PRIMARY KEY DEFAULT true CONSTRAINT resync_is_one_row CHECK (one),
    after uuid        NOT NULL, -- the last object of the last page; zero between two passes
    at    timestamptz NOT NULL  -- when the last page was made
);
INSERT INTO resync (after, at) VALUES ('00000000-0000-0000-0000-000000000000', clock_timestamp());

-- What a controller remembers beside an object: how far the object's machine has come, say. Only that controller reads it, it
-- has no revision and no history, and clients do not see it. It is written under the object's lock by whoever holds that, in
-- the transaction of the plan that it belongs to. The bytes come compressed. Pages have room for a next version, so that one
-- that fits into a page stays in its page.
CREATE TABLE memories (
    uid   uuid  PRIMARY KEY,
    state bytea NOT NULL
) WITH (toast_tuple_target = 8160, fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, toast.autovacuum_vacuum_scale_factor = 0.1);
ALTER TABLE memories ALTER COLUMN state SET STORAGE EXTERNAL;

-- The files of emulated nodes, as far as Pods have written any: what volumes of the type hostPath show. They outlive the Pods,
-- and go with their node. A directory has a row of its own; those above a file need none.
CREATE TABLE node_files (
    node    text    COLLATE "C" NOT NULL,
    path    text    COLLATE "C" NOT NULL, -- absolute
    mode    integer NOT NULL,             -- of internal/emulator/vfs, with the type
    uid     integer NOT NULL,
    gid     integer NOT NULL,
    content bytea   NOT NULL,             -- of a symbolic link where it leads
    PRIMARY KEY (node, path)
) WITH (toast_tuple_target = 8160);

-- How often each fault of the API has been considered and has happened, across all replicas. Requests take their turns under
-- the row's lock, so that a fault that is to happen three times happens three times. Pages have room for next versions.
CREATE TABLE fault_counts (
    uid  uuid   PRIMARY KEY,
    seen bigint NOT NULL, -- requests that it concerned
    hits bigint NOT NULL  -- those of them to which it happened
) WITH (fillfactor = 20);

-- What ResourceQuotas go by. Usage is kept exact because it is judged and changed under the counter, in the transaction of the
-- change that it is about: see apply. Where a cluster has no ResourceQuota there are no rows, and nothing of this costs
-- anything.

-- One row for each ResourceQuota, made, changed and removed with it.
CREATE TABLE quotas (
    uid       uuid    PRIMARY KEY,
    namespace text    NOT NULL,
    name      text    NOT NULL,
    spec      text    NOT NULL,          -- tells specs apart: charges must have been computed by this one
    since     bigint  NOT NULL,          -- the revision from which on it is this one
    counting  boolean NOT NULL,          -- what there was at that revision has not been counted yet
    freed     bigint  NOT NULL DEFAULT 0 -- the newest revision with which something was used no more
);
CREATE INDEX quotas_namespace ON quotas (namespace);

-- How much of each resource may be used, and is. Rows are made by recount. Pages have room for next versions.
CREATE TABLE quota_usage (
    quota    uuid    NOT NULL,
    resource text    NOT NULL,
    hard     numeric NOT NULL,
    used     numeric NOT NULL,
    limited  text    NOT NULL, -- hard, as the spec has it
    format   text    NOT NULL, -- of used: in which of the forms of quantities it is shown
    PRIMARY KEY (quota, resource)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- What has been charged to quotas that are being counted, so that the count may be of a revision that has passed when it comes.
CREATE TABLE quota_journal (
    quota    uuid    NOT NULL,
    revision bigint  NOT NULL,
    resource text    NOT NULL,
    amount   numeric NOT NULL
);
CREATE INDEX quota_journal_quota ON quota_journal (quota, revision);

-- Objects whose controllers were refused something by a quota: they are woken when there may be room.
CREATE TABLE quota_waiters (
    namespace  text NOT NULL,
    controller text NOT NULL,
    uid        uuid NOT NULL,
    PRIMARY KEY (namespace, controller, uid)
);

-- Snapshots that are kept by name, as files in pieces (internal/snapshot). Whoever writes one puts in the row first, then the
-- pieces, each in a transaction of its own, and at last says that it is whole: what a killed process leaves is no snapshot, and
-- goes when it has not grown for an hour. All times are real times.
CREATE TABLE snapshots (
    id       uuid        PRIMARY KEY,
    name     text        NOT NULL UNIQUE,
    whole    boolean     NOT NULL DEFAULT false,
    passing  boolean     NOT NULL, -- on its way to or from a file of a client's: it is not listed, and goes after an hour
    touched  timestamptz NOT NULL DEFAULT clock_timestamp(),
    header   json,                 -- as the file has it; NULL until it is whole
    records  bigint      NOT NULL DEFAULT 0,
    bytes    bigint      NOT NULL DEFAULT 0
);
CREATE TABLE snapshot_pieces (
    snapshot uuid    NOT NULL,
    piece    integer NOT NULL,
    content  bytea   NOT NULL, -- compressed already
    PRIMARY KEY (snapshot, piece)
);
ALTER TABLE snapshot_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- The clusters that were forked from this one, each with a database of its own on the same server. Whoever makes or removes one
-- holds a session lock (internal/fork): a row whose lock is free is of a maker that is gone.
CREATE TABLE forks (
    name     text        PRIMARY KEY,
    id       uuid        NOT NULL UNIQUE,
    state    text        NOT NULL CONSTRAINT forks_state CHECK (state IN ('making', 'ready', 'removing')),
    database text        NOT NULL,
    origin   text        NOT NULL, -- the snapshot that it was made from; empty: this cluster
    revision bigint      NOT NULL, -- of this cluster or the snapshot
    created  timestamptz NOT NULL DEFAULT clock_timestamp(), -- real time
    expires  timestamptz                                     -- real time; NULL: never
);

-- +goose Down
DROP TABLE forks, snapshot_pieces, snapshots, quota_waiters, quota_journal, quota_usage, quotas, fault_counts, node_files,
    memories, resync, clock, wakeups, reservations, selectors, owners, log, objects, revision;
DROP SEQUENCE addresses;
