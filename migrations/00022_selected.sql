-- +goose Up

-- It has other arguments from here on. In databases of version 19 it lacks the comment that the
-- installer recognises it by.
DROP FUNCTION IF EXISTS apply;

-- +goose Down
-- It is not needed.
