-- Is a row of the log still the one that was applied (S12)? A compacted row cannot be compared.
SELECT v.value >= $1 AND CASE WHEN l.uid IS NULL THEN v.compacted >= $1 ELSE l.uid = $2 AND l.at = $3 END
FROM revision v LEFT JOIN log l ON l.revision = $1
