-- +goose Up

-- The requests of processes in one Pod to others, by outcome and by minute of cluster time. The
-- caller's sync adds only to its own rows, in the transaction in which its machine receives the
-- answers, so that nothing is counted twice; it removes them when they are old.
CREATE TABLE traffic (
    caller      uuid        NOT NULL,
    minute      timestamptz NOT NULL,
    service     text        NOT NULL, -- namespace/name of the Service that was called; empty for none
    callee      text        NOT NULL, -- namespace/name of the Pod that was called; empty if the request reached none
    caller_name text        NOT NULL, -- namespace/name
    answered    bigint      NOT NULL,
    failed      bigint      NOT NULL, -- answered with 500 or more
    refused     bigint      NOT NULL,
    lost        bigint      NOT NULL, -- no answer in time
    PRIMARY KEY (caller, minute, service, callee)
) WITH (fillfactor = 70);
CREATE INDEX traffic_service ON traffic (service, minute) WHERE service <> '';
CREATE INDEX traffic_callee ON traffic (callee, minute) WHERE callee <> '';
CREATE INDEX traffic_minute ON traffic (minute);

-- +goose Down
DROP TABLE traffic;
