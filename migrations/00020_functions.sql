-- +goose Up

-- From here on the functions have files of their own, and their installer recognises them by their
-- comments. Databases of version 19 have functions that no longer exist or now have other
-- arguments.
DROP FUNCTION IF EXISTS amend(regproc, text, text);
DROP FUNCTION IF EXISTS amend_all(regproc, text[]);
DROP FUNCTION IF EXISTS claim(text, integer);
DROP FUNCTION IF EXISTS claim_with_memory(text, integer, bigint);

-- +goose Down
-- They are not needed.
