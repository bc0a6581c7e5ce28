-- Counts the requests of Pods, before apply locks the counter: see migrations/functions/tally.sql.
SELECT tally(_by => $1, _base => $2, _name => $3, _minute => $4, _service => $5, _callee => $6,
    _answered => $7, _failed => $8, _refused => $9, _lost => $10, _kept => $11)
