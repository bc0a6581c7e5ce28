-- +goose Up

-- Which database on which timeline of which server this history was written to, as PostgreSQL said when it was last looked at. A
-- restored copy brings the row along, and finds that it is another. There is no row before the first replica has started.
CREATE TABLE lineage (
    one      boolean PRIMARY KEY DEFAULT true CONSTRAINT lineage_is_one_row CHECK (one),
    identity text    NOT NULL
);

-- +goose Down
DROP TABLE lineage;
