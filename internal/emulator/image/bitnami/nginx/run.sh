exec /opt/bitnami/nginx/sbin/nginx -c "$NGINX_CONF_DIR/nginx.conf" -e /dev/stderr -g "daemon off;"
