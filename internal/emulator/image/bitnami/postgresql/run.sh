if [ -z "$POSTGRES_PASSWORD" ]; then export POSTGRES_HOST_AUTH_METHOD=trust; fi
exec postgres -D "${PGDATA:-/bitnami/postgresql/data}" -p "$POSTGRESQL_PORT_NUMBER" "$@"
