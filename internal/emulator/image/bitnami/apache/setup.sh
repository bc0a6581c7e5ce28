settle /opt/bitnami/apache/conf.default "$HTTPD_PREFIX/conf"
if [ -n "${APACHE_HTTP_PORT_NUMBER:-}" ] && [ -w "$HTTPD_PREFIX/conf" ]; then
    sed -i "s/^Listen .*/Listen ${APACHE_HTTP_PORT_NUMBER}/" "$HTTPD_PREFIX/conf/httpd.conf"
fi
