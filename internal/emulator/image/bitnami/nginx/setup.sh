settle /opt/bitnami/nginx/conf.default "$NGINX_CONF_DIR"
if [ -n "${NGINX_HTTP_PORT_NUMBER:-}" ] && [ -w "$NGINX_CONF_DIR" ]; then
    sed -i "s/listen  *8080;/listen ${NGINX_HTTP_PORT_NUMBER};/" "$NGINX_CONF_DIR/nginx.conf"
fi
