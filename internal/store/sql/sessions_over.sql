-- Deletes sessions of a Pod: probes of the primary key. The caller holds the Pod's lock.
DELETE FROM sessions WHERE pod = $1 AND id = ANY($2::integer[])
