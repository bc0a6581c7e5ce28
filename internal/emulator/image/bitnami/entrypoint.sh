#!/bin/bash
. /opt/bitnami/scripts/lib.sh
. /opt/bitnami/scripts/@name@-env.sh
case "${1:-}" in
/run.sh | /opt/bitnami/scripts/*/run.sh)
    info "** Starting @name@ setup **"
    . /opt/bitnami/scripts/@name@/setup.sh
    info "** @name@ setup finished! **"
    ;;
esac
exec "$@"
