-- Deletes sessions of a Pod that is gone or has ended: probes of the primary key.
DELETE FROM sessions WHERE pod = $1 AND id = ANY($2::integer[])
