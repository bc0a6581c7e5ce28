-- back_off is the pause before a sync that has failed _attempt times is tried again: 5 ms, doubling
-- up to 1,000 s; 15 ms if it has not failed and other transactions only have to finish.
-- Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/workqueue/default_rate_limiters.go, DefaultTypedControllerRateLimiter.
CREATE OR REPLACE FUNCTION back_off(_attempt integer) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN _attempt <= 0 THEN interval '15 ms' ELSE least(interval '5 ms' * 2 ^ least(_attempt - 1, 20), interval '1000 s') END
$$;
