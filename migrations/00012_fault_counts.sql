-- +goose Up

-- How often each fault of the API has been considered and has happened, across all replicas. Requests take their turns under the
-- row's lock, so that a fault that is to happen three times happens three times. Pages have room for next versions.
CREATE TABLE fault_counts (
    uid  uuid   PRIMARY KEY,
    seen bigint NOT NULL, -- requests that it concerned
    hits bigint NOT NULL  -- those of them to which it happened
) WITH (fillfactor = 20);

-- +goose Down
DROP TABLE fault_counts;
