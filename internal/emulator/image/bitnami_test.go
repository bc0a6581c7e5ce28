package image

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestBitnami starts Bitnami's images with their own variables and sends them the requests of the
// charts' probes.
func TestBitnami(t *testing.T) {
	t.Parallel()
	tests := []struct {
		image, env string
		command    string // in the container, once it has started
		want       string
		port       int
		page       string // what the port answers to GET /
	}{
		{
			"bitnami/nginx:1.27.3-debian-12-r0", "",
			"id -u; readlink /opt/bitnami/nginx/html; nginx -v; nginx -t >/tmp/said 2>&1; echo $?",
			"1001\n/app\nnginx version: nginx/1.27.3\n0\n", 8080, "200 <!DOCTYPE html>",
		},
		{
			"docker.io/bitnamilegacy/nginx", "NGINX_HTTP_PORT_NUMBER=9000",
			"echo hi >/app/index.html; curl -s localhost:9000 >/tmp/page; cmp /tmp/page /app/index.html",
			"127.0.0.1 - - [04/Mar/2026:12:00:15 +0000] \"GET / HTTP/1.1\" 200 3 \"-\" \"curl/8.5.0\" \"-\"\n", 9000, "200 hi",
		},
		{"registry.example.com/bitnami/apache:2.4", "", "echo $APP_VERSION", "2.4\n", 8080, "200 <html><body><h1>It works!"},
		{"bitnami/apache", "APACHE_HTTP_PORT_NUMBER=8081", "grep Listen /opt/bitnami/apache/conf/httpd.conf", "Listen 8081\n", 8081, "200 <html><body><h1>It works!"},
		{"public.ecr.aws/bitnami/redis:7.4", "REDIS_PASSWORD=x", "redis-cli ping; REDISCLI_AUTH=x redis-cli ping", "NOAUTH Authentication required.\n\nPONG\n", 0, ""},
		{"bitnami/redis", "ALLOW_EMPTY_PASSWORD=yes REDIS_PORT_NUMBER=6380", "redis-cli -p 6380 config get dir", "dir\n/bitnami/redis/data\n", 0, ""},
		{"bitnamilegacy/valkey", "VALKEY_PASSWORD=x", "valkey-cli -a x --no-auth-warning set a b; ls /opt/bitnami/valkey/etc", "OK\nvalkey.conf\n", 0, ""},
		{"bitnami/postgresql:17", "POSTGRESQL_PASSWORD=x", "exec pg_isready -U postgres -d dbname=app -h 127.0.0.1 -p 5432", "127.0.0.1:5432 - accepting connections\n", 0, ""},
		{
			"bitnami/postgresql", "POSTGRES_PASSWORD=x POSTGRESQL_PORT_NUMBER=5433",
			"ls /opt/bitnami/postgresql/tmp/.initialized; PGPASSWORD=x psql -h 127.0.0.1 -p 5433 -tAc 'select 1'",
			"/opt/bitnami/postgresql/tmp/.initialized\n1\n", 0, "",
		},
		{"bitnami/mysql", "MYSQL_ROOT_PASSWORD=x", "mysqladmin status -uroot -px | cut -d: -f1; mysql -uroot -px -Ne 'select 1' | tail -1", "Uptime\n1\n", 0, ""},
		{"bitnami/mariadb", "ALLOW_EMPTY_PASSWORD=yes", "mariadb-admin ping -uroot", "mysqld is alive\n", 0, ""},
		{"bitnami/memcached", "MEMCACHED_PORT_NUMBER=11212", "echo $MEMCACHED_PORT_NUMBER", "11212\n", 11212, "timeout"},
	}
	for _, tt := range tests {
		t.Run(tt.image+" "+tt.env, func(t *testing.T) {
			t.Parallel()
			img, err := builtIn.Find(tt.image)
			if err != nil || !img.IsKnown() {
				t.Fatalf("is not known: %v", err)
			}
			env := append(img.Env(), strings.Fields(tt.env)...)
			b := begin(t, tt.image, corev1.Container{}, strings.Fields(tt.env)...)
			b.attends = true
			b.run(15 * time.Second)
			if b.exited {
				t.Fatalf("ended with %d: %s", b.code, b.out.String())
			}
			if tt.port != 0 {
				if got := b.get(tt.port, "/"); !strings.HasPrefix(got, tt.page) && !strings.Contains(tt.command, "/app/") {
					t.Errorf("answers %q; want %q", got, tt.page)
				}
			}
			if got := b.exec("", 20*time.Second, append(append([]string{"env"}, env...), "bash", "-c", tt.command)...); got != tt.want {
				t.Errorf("%s: %q; want %q; log:\n%s", tt.command, got, tt.want, b.out.String())
			}
			if tt.port != 0 {
				if got := b.get(tt.port, "/"); !strings.HasPrefix(got, tt.page) {
					t.Errorf("answers %q; want %q", got, tt.page)
				}
			}
		})
	}
}

// TestBitnami_Refuses shows that a database without a password does not start, and that the
// password may come from a file.
func TestBitnami_Refuses(t *testing.T) {
	t.Parallel()
	for name, variable := range map[string]string{
		"redis": "REDIS_PASSWORD", "valkey": "VALKEY_PASSWORD", "postgresql": "POSTGRESQL_PASSWORD", "mysql": "MYSQL_ROOT_PASSWORD", "mariadb": "MARIADB_ROOT_PASSWORD",
	} {
		b := begin(t, "bitnami/"+name, corev1.Container{})
		b.run(15 * time.Second)
		if !b.exited || b.code != 1 || !strings.Contains(b.out.String(), "The "+variable+" environment variable is empty or not set") {
			t.Errorf("%s: %v %d %s", name, b.exited, b.code, b.out.String())
		}
		b = begin(t, "bitnami/"+name, corev1.Container{}, variable+"_FILE=/secret")
		if err := b.fs.WriteFile("/secret", []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		b.run(15 * time.Second)
		if b.exited {
			t.Errorf("%s: ended with %d: %s", name, b.code, b.out.String())
		}
	}
}

// TestBitnami_Chart runs the Pods of Bitnami's charts: volumes replace directories, and scripts are
// their own.
func TestBitnami_Chart(t *testing.T) {
	t.Parallel()
	b := begin(t, "bitnami/nginx", corev1.Container{Command: []string{"/bin/bash"}, Args: []string{"-ec", `
		. /opt/bitnami/scripts/liblog.sh
		. /opt/bitnami/scripts/libfs.sh
		info "Copying files from $PWD to empty dir"
		cp -r --preserve=mode,timestamps /opt/bitnami/nginx/conf /tmp/conf
		if ! is_dir_empty /opt/bitnami/nginx/logs; then cp -r /opt/bitnami/nginx/logs /tmp/logs; fi
		rm /opt/bitnami/nginx/conf/*.*
		exec /opt/bitnami/scripts/nginx/entrypoint.sh /opt/bitnami/scripts/nginx/run.sh`}})
	b.run(15 * time.Second)
	if got := b.get(8080, "/status"); b.exited || !strings.HasPrefix(got, "200 Active") {
		t.Errorf("nginx answers %q: %s", got, b.out.String())
	}
	if got := b.exec("", time.Second, "ls", "/tmp/conf", "/tmp/logs"); !strings.Contains(got, "nginx.conf") || !strings.Contains(got, "access.log") {
		t.Errorf("copied were %q", got)
	}
	b = begin(t, "bitnami/redis", corev1.Container{Command: []string{"/bin/bash"}, Args: []string{"-c", `
		[[ -f $REDIS_PASSWORD_FILE ]] && export REDIS_PASSWORD="$(< "${REDIS_PASSWORD_FILE}")"
		printf 'maxmemory 100mb\n' >/opt/bitnami/redis/etc/redis.conf
		ARGS=("--port" "${REDIS_PORT}")
		ARGS+=("--requirepass" "${REDIS_PASSWORD}")
		ARGS+=("--include" "/opt/bitnami/redis/etc/redis.conf")
		exec redis-server "${ARGS[@]}"`}}, "REDIS_PORT=6379", "REDIS_PASSWORD=x")
	b.attends = true
	b.run(5 * time.Second)
	got := b.exec("", 5*time.Second, "env", "PATH=/opt/bitnami/redis/bin:/usr/bin", "REDIS_PORT=6379",
		"bash", "-c", `timeout -s 15 5 redis-cli -h localhost -p $REDIS_PORT -a x --no-auth-warning config get maxmemory`)
	if got != "maxmemory\n104857600\n" {
		t.Errorf("Redis answers %q: %s", got, b.out.String())
	}
}
