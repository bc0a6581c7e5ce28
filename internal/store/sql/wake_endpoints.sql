-- Has Services looked at by what they select, and objects by their names.
SELECT wake_endpoints($1, $2, $3, $4, $5, $6, $7, $8, $9)
