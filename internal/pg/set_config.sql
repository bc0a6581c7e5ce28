-- Sets a setting of the session, because SET cannot take parameters.
SELECT set_config($1, $2, false)
