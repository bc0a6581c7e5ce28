UPDATE clock SET anchor_cluster = $1, anchor_real = clock_timestamp(), speed = 0
