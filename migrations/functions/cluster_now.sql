-- The clock stops before years have five digits, which the API's times cannot express. Sessions
-- cache the plans of PL/pgSQL functions, but not of SQL functions.
CREATE OR REPLACE FUNCTION cluster_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT least(c.anchor_cluster + (t - c.anchor_real) * CASE WHEN t < c.anchor_real THEN c.was ELSE c.speed END, timestamptz '9000-01-01 00:00:00Z')
        FROM clock c, clock_timestamp() AS t);
END
$$;
