-- A block of numbers. A sequence takes no lock that outlasts the statement, and gives no number
-- twice in a round.
SELECT array_agg(nextval('addresses')::integer) FROM generate_series(1, $1::integer)
