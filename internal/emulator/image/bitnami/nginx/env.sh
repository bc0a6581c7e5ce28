export NGINX_CONF_DIR=/opt/bitnami/nginx/conf
