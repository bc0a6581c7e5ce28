-- +goose Up

-- From here on the functions have files of their own, and those who install them find them by their comments. Databases of
-- version 19 have some that are gone, or that have other arguments by now.
DROP FUNCTION IF EXISTS amend(regproc, text, text);
DROP FUNCTION IF EXISTS amend_all(regproc, text[]);
DROP FUNCTION IF EXISTS claim(text, integer);
DROP FUNCTION IF EXISTS claim_with_memory(text, integer, bigint);

-- +goose Down
-- They are not missed.
