-- The clock stops before years have five digits, which the API's times could not say. Sessions keep the plans of functions in this
-- language, and not of those in SQL.
CREATE OR REPLACE FUNCTION cluster_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (SELECT least(c.anchor_cluster + (t - c.anchor_real) * CASE WHEN t < c.anchor_real THEN c.was ELSE c.speed END, timestamptz '9000-01-01 00:00:00Z')
        FROM clock c, clock_timestamp() AS t);
END
$$;
