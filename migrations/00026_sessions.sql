-- +goose Up

-- Sessions of clients in Pods, of exec and attach, that outlast the visit that began them: which process (see Hints) has the client.
-- When that dies, others end its sessions. A row is written and removed under the lock of its Pod's head.
CREATE TABLE sessions (
    pod     uuid    NOT NULL,
    id      integer NOT NULL, -- in the Pod's machine
    replica integer NOT NULL,
    PRIMARY KEY (pod, id)
);

-- +goose Down
DROP TABLE sessions;
