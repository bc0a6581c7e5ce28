-- The input of the last step of a load: the state's header, and which controllers sync which
-- objects (as in the SQL function resync).
CREATE TEMP TABLE staged_header AS
SELECT $1::bigint AS revision, $2::timestamptz AS at, $3::timestamptz AS now, $4::double precision AS speed, $5::double precision AS pace, $6::bigint AS addresses,
    $7::boolean AS past, $8::boolean AS replaces, $9::text[] AS controller, $10::text[] AS resource, $11::uuid[] AS lock
