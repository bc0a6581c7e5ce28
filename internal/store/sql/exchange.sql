-- Posts, answers and removes calls of Pods, before apply locks the counter: see
-- migrations/functions/exchange.sql.
SELECT exchange(_by => $1, _base => $2, _caller => $3, _number => $4, _callee => $5, _at => $6, _due => $7, _query => $8, _answer => $9, _removed => $10, _backlog => $11)
