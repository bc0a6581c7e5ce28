exec /opt/bitnami/apache/bin/httpd -f "$HTTPD_PREFIX/conf/httpd.conf" -D FOREGROUND
