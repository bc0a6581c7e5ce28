SELECT array_agg(nextval('addresses')::integer) FROM generate_series(1, $1::integer)
