-- +goose Up

-- Clients' sessions in Pods (exec and attach) that outlast the visit that began them, and which
-- process (see Hints) has the client. When that process dies, others end its sessions. A row is
-- written and deleted under the lock of its Pod's head.
CREATE TABLE sessions (
    pod     uuid    NOT NULL,
    id      integer NOT NULL, -- in the Pod's machine
    replica integer NOT NULL,
    PRIMARY KEY (pod, id)
);

-- +goose Down
DROP TABLE sessions;
