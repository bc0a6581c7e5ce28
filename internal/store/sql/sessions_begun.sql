-- Records that a process has clients in a Pod. The caller holds the Pod's lock.
INSERT INTO sessions (pod, id, replica) SELECT $1, unnest($2::integer[]), $3 ON CONFLICT DO NOTHING
