-- +goose Up

-- The database, timeline and server that this history was written to, as PostgreSQL reported them
-- last. A restored copy brings the row along, and finds that its own identity differs. There is no
-- row before the first replica has started.
CREATE TABLE lineage (
    one      boolean PRIMARY KEY DEFAULT true CONSTRAINT lineage_is_one_row CHECK (one),
    identity text    NOT NULL
);

-- +goose Down
DROP TABLE lineage;
