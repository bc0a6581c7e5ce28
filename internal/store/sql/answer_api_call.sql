-- Answers a Pod's request to the API server: see migrations/functions/answer_api_call.sql.
SELECT woken FROM answer_api_call(_server => $1, _caller => $2, _number => $3, _at => $4, _answer => $5)
