-- Writes, after apply, the memories of objects whose own change needs another: see
-- migrations/functions/remember_kept.sql.
SELECT remember_kept(_uid => $1, _base => $2, _state => $3)
