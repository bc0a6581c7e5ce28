-- +goose Up

-- The controllers that the last started replica does not run, so that a replica that runs them
-- again knows what they may have missed.
CREATE TABLE controllers_off (
    controller text PRIMARY KEY
);

-- +goose Down
DROP TABLE controllers_off;
