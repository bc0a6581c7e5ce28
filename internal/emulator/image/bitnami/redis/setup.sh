demand "${REDIS_PASSWORD:-}" REDIS_PASSWORD
settle /opt/bitnami/redis/etc.default /opt/bitnami/redis/etc
if [ -f /opt/bitnami/redis/mounted-etc/redis.conf ]; then
    cp /opt/bitnami/redis/mounted-etc/redis.conf /opt/bitnami/redis/etc/redis.conf
fi
