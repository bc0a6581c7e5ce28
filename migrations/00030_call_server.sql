-- +goose Up

-- The replica that has taken a call to the API server and answers it, by its number
-- (presences.sql). NULL: none has taken it, and for calls between Pods.
ALTER TABLE calls ADD COLUMN server integer;

-- +goose Down
ALTER TABLE calls DROP COLUMN server;
