if [ -z "${MYSQL_ROOT_PASSWORD:-}" ]; then export MYSQL_ALLOW_EMPTY_PASSWORD=yes; fi
exec mysqld --port="$MYSQL_PORT_NUMBER" ${MYSQL_EXTRA_FLAGS:-} "$@"
