-- +goose Up

-- When a call reaches the other end, in cluster time: the callee until it is answered, then the
-- caller.
ALTER TABLE calls ADD COLUMN due timestamptz NOT NULL DEFAULT '-infinity';

-- +goose Down
ALTER TABLE calls DROP COLUMN due;
