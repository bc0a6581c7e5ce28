-- +goose Up

-- How requests of processes in one Pod to others went, by the minute of cluster time. The caller's sync adds to its own rows alone, in the
-- transaction in which its machine gets the answers, so that nothing is counted twice; it removes them when they are old.
CREATE TABLE traffic (
    caller      uuid        NOT NULL,
    minute      timestamptz NOT NULL,
    service     text        NOT NULL, -- namespace/name of the Service that was asked; empty for none
    callee      text        NOT NULL, -- namespace/name of the Pod that was asked; empty where the request came to none
    caller_name text        NOT NULL, -- namespace/name
    answered    bigint      NOT NULL,
    failed      bigint      NOT NULL, -- answered with 500 or more
    refused     bigint      NOT NULL,
    lost        bigint      NOT NULL, -- without an answer in time
    PRIMARY KEY (caller, minute, service, callee)
) WITH (fillfactor = 70);
CREATE INDEX traffic_service ON traffic (service, minute) WHERE service <> '';
CREATE INDEX traffic_callee ON traffic (callee, minute) WHERE callee <> '';
CREATE INDEX traffic_minute ON traffic (minute);

-- +goose Down
DROP TABLE traffic;
