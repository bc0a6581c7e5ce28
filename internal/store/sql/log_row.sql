-- Is a row of the log still the one we applied (S12)?
SELECT v.value, l.uid FROM revision v LEFT JOIN log l ON l.revision = $1
