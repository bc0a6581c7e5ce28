-- Writes memories beside objects, before apply locks the counter: see
-- migrations/functions/remember.sql.
SELECT remember(_uid => $1, _base => $2, _state => $3)
