-- +goose Up

-- Requests of processes in one Pod to another Pod, from when they are asked until the answer has been picked up. The caller's sync
-- posts a call, the callee's answers it, the caller's next removes it: each in the transaction that writes what the machine
-- remembers, so that a call is neither lost nor made twice.
CREATE TABLE calls (
    caller uuid        NOT NULL,
    number bigint      NOT NULL, -- of the question in the caller's machine
    callee uuid        NOT NULL,
    at     timestamptz NOT NULL, -- cluster time of the question
    query  bytea       NOT NULL, -- encoded by the kubelet
    answer bytea,                -- the same; NULL as long as there is none, empty where there will be none
    PRIMARY KEY (caller, number)
) WITH (fillfactor = 60);
CREATE INDEX calls_callee ON calls (callee, at, caller, number) WHERE answer IS NULL;

-- +goose Down
DROP TABLE calls;
