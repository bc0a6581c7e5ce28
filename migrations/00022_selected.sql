-- +goose Up

-- It has other arguments from here on. Databases of version 19 have it without the comment by which it would be found.
DROP FUNCTION IF EXISTS apply;

-- +goose Down
-- It is not missed.
