args=()
if [ -f /opt/bitnami/redis/etc/redis.conf ]; then args+=(/opt/bitnami/redis/etc/redis.conf); fi
args+=(--daemonize no --port "$REDIS_PORT_NUMBER")
if [ -n "${REDIS_PASSWORD:-}" ]; then args+=(--requirepass "$REDIS_PASSWORD"); fi
case "${REDIS_REPLICATION_MODE:-}" in
slave | replica)
    args+=(--replicaof "${REDIS_MASTER_HOST:-}" "${REDIS_MASTER_PORT_NUMBER:-6379}")
    if [ -n "${REDIS_MASTER_PASSWORD:-}" ]; then args+=(--masterauth "$REDIS_MASTER_PASSWORD"); fi
    ;;
esac
exec redis-server "${args[@]}" ${REDIS_EXTRA_FLAGS:-} "$@"
