-- Wakes controllers under the counter, after apply: see migrations/functions/wake.sql.
SELECT woken FROM wake(_controller => $1, _uid => $2, _cause => $3)
