-- +goose Up

-- What only one object of the cluster may have: addresses and ports, by the key under which a kind names them
-- ("clusterip/10.96.0.1"). apply keeps them under the counter, and they go with their object.
CREATE TABLE reservations (
    key text PRIMARY KEY,
    uid uuid NOT NULL
);
CREATE INDEX reservations_uid ON reservations (uid);

-- +goose Down
DROP TABLE reservations;
