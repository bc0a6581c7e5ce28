-- +goose Up

-- Snapshots that are kept by name, as files in pieces (internal/snapshot). Whoever writes one puts in the row first, then the pieces,
-- each in a transaction of its own, and at last says that it is whole: what a killed process leaves is no snapshot, and goes
-- when it has not grown for an hour. All times are real times.
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

-- The clusters that were forked from this one, each with a database of its own on the same server. Who makes or removes one holds
-- a session lock (internal/fork): whoever finds the row but the lock free knows that its maker is gone.
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
DROP TABLE forks;
DROP TABLE snapshot_pieces;
DROP TABLE snapshots;
