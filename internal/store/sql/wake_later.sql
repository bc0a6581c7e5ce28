-- Wakes controllers at times of their own, under the counter, after apply: see migrations/functions/wake_later.sql.
SELECT woken FROM wake_later(_controller => $1, _uid => $2, _cause => $3, _due => $4)
