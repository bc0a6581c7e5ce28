demand "$POSTGRES_PASSWORD" POSTGRESQL_PASSWORD
touch /opt/bitnami/postgresql/tmp/.initialized || true
