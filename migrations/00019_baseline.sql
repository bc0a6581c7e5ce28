-- +goose Up

-- All tables in one file: the result of the earlier migrations 1 to 19. A database that they made
-- is at version 19, so this file never runs there. The functions are in migrations/functions.

-- The counter. The holder of the lock on its one row may commit the next revisions, so commits are
-- ordered and revisions have no gaps (S1, S3). Every commit rewrites the row: nearly empty pages
-- keep that heap-only.
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

-- Locks that are not an object's: a reconciler that decides across objects claims one of these
-- rows. They have no version in the log, so neither the mirror nor clients see them.
INSERT INTO objects (uid, revision, terminating, resource, namespace, name) VALUES
    ('00000000-0000-0000-0000-000000000001', 0, false, 'locks.rowlock', '', 'scheduler'),
    ('00000000-0000-0000-0000-000000000003', 0, false, 'locks.rowlock', '', 'housekeeping');

-- Every version of every object. Bodies are written once, here, uncompressed, and in line up to a
-- page: compressing them costs more than writing them.
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
-- The versions of one object, and of one resource object by object: for exact reads, watches from
-- the log, and compaction.
CREATE INDEX log_object ON log (resource, uid, revision);

-- Which object depends on which owner. References to uids that are not UUIDs cannot have an owner
-- here, and have no row.
CREATE TABLE owners (
    owner uuid NOT NULL,
    uid   uuid NOT NULL,
    PRIMARY KEY (owner, uid)
);
CREATE INDEX owners_uid ON owners (uid);

-- What each workload and each Service selects: a Pod whose labels contain `match` may be selected.
CREATE TABLE selectors (
    uid        uuid  PRIMARY KEY,
    namespace  text  NOT NULL,
    controller text  NOT NULL, -- the reconciler to wake; 'endpoints' for Services
    match      jsonb NOT NULL  -- the equality part of the selector; set-based parts only narrow it further
);
CREATE INDEX selectors_namespace ON selectors (namespace);
CREATE INDEX selectors_endpoints ON selectors (namespace) WHERE controller = 'endpoints';

-- What only one object of the cluster may have: addresses and ports, by the key that a kind gives
-- them ("clusterip/10.96.0.1"). apply maintains them under the counter, and they are deleted with
-- their object.
CREATE TABLE reservations (
    key text PRIMARY KEY,
    uid uuid NOT NULL
);
CREATE INDEX reservations_uid ON reservations (uid);

-- Pod addresses are drawn from here, in blocks; a number is reused after eight million others, and
-- then checked.
CREATE SEQUENCE addresses AS integer MINVALUE 0 MAXVALUE 8388607 CYCLE;

-- Due work: "let this controller reconcile this object, at this time". Rows are inserted and
-- deleted, never updated (S6). Work that failed, or that met other transactions, waits in real
-- time, whatever the cluster's clock does: it has a retry time instead of a due time.
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

-- The cluster's clock: cluster time was anchor_cluster when real time was anchor_real, and passes
-- at speed times real time. Every change of it is made under the counter, so that it is ordered
-- among the commits: the clock never goes back, and log.at never decreases across a change. A
-- change has no revision and no row in the log.
CREATE TABLE clock (
    one            boolean          PRIMARY KEY DEFAULT true CONSTRAINT clock_is_one_row CHECK (one),
    anchor_cluster timestamptz      NOT NULL,
    anchor_real    timestamptz      NOT NULL,
    speed          double precision NOT NULL CONSTRAINT clock_speed CHECK (speed >= 0),
    version        bigint           NOT NULL DEFAULT 0, -- how often it has been changed
    pace           double precision NOT NULL DEFAULT 1, -- its speed when it runs: restored after a pause
    was            double precision NOT NULL DEFAULT 1, -- its speed until anchor_real, which a change sets slightly ahead (clock_change)
    resumes        boolean          NOT NULL DEFAULT false, -- whether it runs again after the current advance
    -- The current advance, or the last one. Any replica that finds that nothing is due continues it
    -- (clock_step).
    advance        text             NOT NULL DEFAULT 'none' CONSTRAINT clock_advance CHECK (advance IN ('none', 'running', 'done', 'interrupted')),
    advance_from   timestamptz,
    advance_to     timestamptz, -- NULL: to the next due time, which is not known until everything is settled
    advance_ended  timestamptz, -- the time it reached
    advance_steps  bigint           NOT NULL DEFAULT 0,
    CONSTRAINT clock_pace CHECK (pace > 0),
    CONSTRAINT clock_stands CHECK (advance <> 'running' OR speed = 0)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
INSERT INTO clock (anchor_cluster, anchor_real, speed) SELECT t, t, 1 FROM clock_timestamp() AS t;

-- The first removal of expired Events; each one asks for the next.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
VALUES (clock_timestamp(), 0, '00000000-0000-0000-0000-000000000003', 0, 'eventexpiry');

-- The progress of the resync: the safety net that slowly reconciles everything without a reason.
-- One row, shared by all replicas. Its times are real times, whatever the cluster's clock does.
CREATE TABLE resync (
    one   boolean     PRIMARY KEY DEFAULT true CONSTRAINT resync_is_one_row CHECK (one),
    after uuid        NOT NULL, -- the last object of the last page; zero between two passes
    at    timestamptz NOT NULL  -- when the last page was made
);
INSERT INTO resync (after, at) VALUES ('00000000-0000-0000-0000-000000000000', clock_timestamp());

-- What a controller remembers beside an object, for example the state of the object's machine. Only
-- that controller reads it; it has no revision and no history, and clients do not see it. The
-- holder of the object's lock writes it, in the transaction of the plan that it belongs to. The
-- bytes are already compressed. Pages have room for a next version, so that one that fits stays in
-- its page.
CREATE TABLE memories (
    uid   uuid  PRIMARY KEY,
    state bytea NOT NULL
) WITH (toast_tuple_target = 8160, fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, toast.autovacuum_vacuum_scale_factor = 0.1);
ALTER TABLE memories ALTER COLUMN state SET STORAGE EXTERNAL;

-- The files of emulated nodes that Pods have written: what volumes of type hostPath show. They
-- outlive the Pods and are deleted with their node. A directory has its own row; the directories
-- above a file need none.
CREATE TABLE node_files (
    node    text    COLLATE "C" NOT NULL,
    path    text    COLLATE "C" NOT NULL, -- absolute
    mode    integer NOT NULL,             -- as in internal/emulator/vfs, with the type
    uid     integer NOT NULL,
    gid     integer NOT NULL,
    content bytea   NOT NULL,             -- of a symbolic link: its target
    PRIMARY KEY (node, path)
) WITH (toast_tuple_target = 8160);

-- How often each fault of the API has been considered and has hit, across all replicas. Requests
-- take their turns under the row's lock, so that a fault with a count of three hits three times.
-- Pages have room for next versions.
CREATE TABLE fault_counts (
    uid  uuid   PRIMARY KEY,
    seen bigint NOT NULL, -- requests that it applied to
    hits bigint NOT NULL  -- those that it hit
) WITH (fillfactor = 20);

-- The data behind ResourceQuotas. Usage is exact, because it is checked and changed under the
-- counter, in the transaction of the change itself: see apply. A cluster without ResourceQuotas has
-- no rows here and no cost.

-- One row for each ResourceQuota; created, changed and deleted with it.
CREATE TABLE quotas (
    uid       uuid    PRIMARY KEY,
    namespace text    NOT NULL,
    name      text    NOT NULL,
    spec      text    NOT NULL,          -- identifies the spec: charges must have been computed with this one
    since     bigint  NOT NULL,          -- the revision from which on it applies
    counting  boolean NOT NULL,          -- the usage at that revision has not been counted yet
    freed     bigint  NOT NULL DEFAULT 0 -- the newest revision that freed something
);
CREATE INDEX quotas_namespace ON quotas (namespace);

-- How much of each resource may be used, and how much is. recount inserts the rows. Pages have room
-- for next versions.
CREATE TABLE quota_usage (
    quota    uuid    NOT NULL,
    resource text    NOT NULL,
    hard     numeric NOT NULL,
    used     numeric NOT NULL,
    limited  text    NOT NULL, -- hard, as the spec has it
    format   text    NOT NULL, -- of used: the quantity format in which it is shown
    PRIMARY KEY (quota, resource)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- What has been charged to quotas that are being counted, so that the count may be of an earlier
-- revision when it arrives.
CREATE TABLE quota_journal (
    quota    uuid    NOT NULL,
    revision bigint  NOT NULL,
    resource text    NOT NULL,
    amount   numeric NOT NULL
);
CREATE INDEX quota_journal_quota ON quota_journal (quota, revision);

-- Objects whose controllers a quota has refused something: they are woken when there may be room.
CREATE TABLE quota_waiters (
    namespace  text NOT NULL,
    controller text NOT NULL,
    uid        uuid NOT NULL,
    PRIMARY KEY (namespace, controller, uid)
);

-- Named snapshots, as files in pieces (internal/snapshot). The writer inserts the row first, then
-- the pieces, each in its own transaction, and at last marks the snapshot as complete: what a
-- killed process leaves is not a snapshot, and is deleted when it has not grown for an hour. All
-- times are real times.
CREATE TABLE snapshots (
    id       uuid        PRIMARY KEY,
    name     text        NOT NULL UNIQUE,
    whole    boolean     NOT NULL DEFAULT false,
    passing  boolean     NOT NULL, -- on its way to or from a client's file: it is not listed, and deleted after an hour
    touched  timestamptz NOT NULL DEFAULT clock_timestamp(),
    header   json,                 -- as in the file; NULL until it is complete
    records  bigint      NOT NULL DEFAULT 0,
    bytes    bigint      NOT NULL DEFAULT 0
);
CREATE TABLE snapshot_pieces (
    snapshot uuid    NOT NULL,
    piece    integer NOT NULL,
    content  bytea   NOT NULL, -- already compressed
    PRIMARY KEY (snapshot, piece)
);
ALTER TABLE snapshot_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- The clusters forked from this one, each with its own database on the same server. A process that
-- makes or removes one holds a session lock (internal/fork): if a row's lock is free, its maker is
-- gone.
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
