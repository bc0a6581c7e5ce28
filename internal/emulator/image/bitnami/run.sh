#!/bin/bash
. /opt/bitnami/scripts/lib.sh
. /opt/bitnami/scripts/@name@-env.sh
info "** Starting @name@ **"
