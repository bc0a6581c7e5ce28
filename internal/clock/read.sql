SELECT cluster_now(), speed FROM clock
