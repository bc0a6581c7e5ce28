SELECT count(*) FROM log
