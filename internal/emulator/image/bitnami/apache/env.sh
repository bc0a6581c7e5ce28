export HTTPD_PREFIX=/opt/bitnami/apache
