-- +goose Up

-- The controllers that the replica that started last does not run, so that one that runs them again knows what they may have missed.
CREATE TABLE controllers_off (
    controller text PRIMARY KEY
);

-- +goose Down
DROP TABLE controllers_off;
