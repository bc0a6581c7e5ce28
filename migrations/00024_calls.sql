-- +goose Up

-- Requests of processes in one Pod to another Pod, from the request until the answer has been
-- collected. The caller's sync posts a call, the callee's sync answers it, the caller's next sync
-- removes it: each in the transaction that writes the machine's memory, so that a call is neither
-- lost nor made twice.
CREATE TABLE calls (
    caller uuid        NOT NULL,
    number bigint      NOT NULL, -- the request's number in the caller's machine
    callee uuid        NOT NULL,
    at     timestamptz NOT NULL, -- cluster time of the request
    query  bytea       NOT NULL, -- encoded by the kubelet
    answer bytea,                -- the same; NULL while there is none, empty if there will be none
    PRIMARY KEY (caller, number)
) WITH (fillfactor = 60);
CREATE INDEX calls_callee ON calls (callee, at, caller, number) WHERE answer IS NULL;

-- +goose Down
DROP TABLE calls;
