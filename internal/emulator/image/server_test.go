package image

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func TestServers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		image   string
		args    []string
		env     []string
		after   time.Duration
		command []string
		port    int
		path    string
		want    string // the beginning of the answer
		log     string // what the log contains
		sig     kernel.Signal
		code    int // the exit code after the signal; −1 if it continues
	}{
		{image: "nginx:1.25", port: 80, path: "/", want: "200 <!DOCTYPE html>", log: "nginx/1.25\n", sig: kernel.SIGQUIT},
		{image: "nginx", port: 80, path: "/nothing", want: "404 <html>", log: `"GET /nothing HTTP/1.1" 404`, sig: kernel.SIGTERM},
		{image: "nginx", port: 81, path: "/", want: "refused", sig: kernel.SIGKILL, code: 137},
		{image: "nginxinc/nginx-unprivileged", port: 8080, path: "/index.html", want: "200 <!DOCTYPE html>", sig: kernel.SIGQUIT},
		{image: "registry.k8s.io/nginx-slim:0.8", port: 80, path: "/", want: "200 <!DOCTYPE html>", sig: kernel.SIGTERM},
		{image: "httpd:2.4", port: 80, path: "/", want: "200 <html><body><h1>It works!", log: "AH00489: Apache/2.4 (Unix)", sig: kernel.SIGWINCH},
		{image: "registry.k8s.io/e2e-test-images/httpd:2.4.38-4", port: 80, path: "/index.html", want: "200 <html>", sig: kernel.SIGTERM},
		{image: "gcr.io/google_samples/gb-frontend:v5", port: 80, path: "/", want: "200 <html ng-app", log: "Apache/2.4.62 (Unix)", sig: kernel.SIGTERM},
		{image: "gcr.io/google_samples/gb-redis-follower:v2", port: 6379, want: "0", log: "Redis version=7.4.1,", sig: kernel.SIGTERM},
		{
			image:   "ghcr.io/stefanprodan/podinfo:6.9.0",
			command: words("./podinfo --port=9898 --port-metrics=9797 --grpc-port=9999 --level=info"), port: 9898,
			path: "/readyz", want: "200 {", log: `"port":"9898"`, sig: kernel.SIGTERM,
		},
		{
			image: "ghcr.io/stefanprodan/podinfo:6.9.0", command: words("./podinfo --port=8080 --port-metrics=9797"),
			port: 9797, path: "/metrics", want: "200 #", sig: kernel.SIGTERM,
		},
		{image: "traefik:v3.2", port: 80, path: "/", want: "404 404 page not found", sig: kernel.SIGTERM},
		{
			image: "traefik:v3.2",
			args: words("--entryPoints.traefik.address=:8080/tcp --entryPoints.web.address=:8000/tcp " +
				"--api.dashboard=true --ping=true"),
			port: 8000, path: "/", want: "404", sig: kernel.SIGTERM,
		},
		{
			image: "traefik:v3.2",
			args:  words("--entryPoints.traefik.address=:8080/tcp --entryPoints.web.address=:8000/tcp --ping=true"),
			port:  8080, path: "/ping", want: "200 OK", sig: kernel.SIGTERM,
		},
		{image: "traefik:v3.2", args: words("--entryPoints.web.address=:8000"), port: 80, path: "/", want: "refused", sig: kernel.SIGTERM},
		{
			image: "vish/stress", args: words("-cpus 2"), after: time.Hour, port: 80, want: "refused",
			log: "Spawning a thread to consume CPU", sig: kernel.SIGTERM, code: 2,
		},
		{image: "vish/stress", after: time.Hour, port: 80, want: "refused", log: `Allocating "0" memory`, sig: kernel.SIGTERM, code: 2},
		{image: "kubernetes/pause", port: 80, want: "refused", sig: kernel.SIGTERM},
		{image: "k8s.gcr.io/test-webserver", port: 80, path: "/test-webserver", want: "200", sig: kernel.SIGTERM, code: 2},
		{image: "k8s.gcr.io/serve_hostname", port: 9376, path: "/", want: "200 host-1", sig: kernel.SIGTERM, code: -1},
		{image: "gcr.io/google_samples/gb-frontend:v3", port: 80, path: "/", want: "200 <html ng-app", sig: kernel.SIGTERM},
		{image: "redis:7.2", port: 6379, want: "0", log: "Redis version=7.2,", sig: kernel.SIGTERM},
		{image: "redis", args: []string{"redis-server", "--port", "7000"}, port: 7000, want: "0", log: "port=7000.", sig: kernel.SIGTERM},
		{image: "redis", args: []string{"--port", "7000"}, port: 7000, want: "0", sig: kernel.SIGTERM},
		{
			image: "postgres:16", env: []string{"POSTGRES_PASSWORD=x"}, after: 4 * time.Second, port: 5432, want: "0",
			log: "ready to accept connections", sig: kernel.SIGINT,
		},
		{image: "postgres:16", env: []string{"POSTGRES_PASSWORD=x"}, after: 2 * time.Second, port: 5432, want: "refused", sig: kernel.SIGTERM},
		{
			image: "mysql:8", env: []string{"MYSQL_ROOT_PASSWORD=x"}, after: 9 * time.Second, port: 3306, want: "0",
			log: "ready for connections. Version: '8'", sig: kernel.SIGTERM,
		},
		{image: "mariadb", env: []string{"MARIADB_ROOT_PASSWORD=x"}, after: 6 * time.Second, port: 3306, want: "0", sig: kernel.SIGTERM},
		{image: "memcached", port: 11211, want: "0", sig: kernel.SIGTERM},
		{
			image: "gcr.io/google-samples/hello-app:1.0", port: 8080, path: "/",
			want: "200 Hello, world!\nVersion: 1.0.0\nHostname: host-1", log: "Server listening on port 8080",
			sig: kernel.SIGTERM, code: 2,
		},
		{
			image: "gcr.io/google-samples/kubernetes-bootcamp:v1", port: 8080, path: "/",
			want: "200 Hello Kubernetes bootcamp! | Running on: host-1 | v=1", sig: kernel.SIGTERM, code: -1,
		},
		{image: "hashicorp/http-echo", args: []string{"-text=hi there"}, port: 5678, path: "/", want: "200 hi there", sig: kernel.SIGTERM},
		{image: "registry.k8s.io/echoserver:1.10", port: 8080, path: "/a", want: "200 \n\nHostname: host-1", sig: kernel.SIGTERM},
		{
			image: "elasticsearch:8", after: 11 * time.Second, port: 9200, path: "/",
			want: "200 {\n  \"name\" : \"host-1\"", log: `"started {host-1}"`, sig: kernel.SIGTERM, code: 143,
		},
		{
			image: "python:3", args: []string{"python3", "-m", "http.server", "9000"}, port: 9000, path: "/etc/",
			want: "200 <!DOCTYPE HTML>", log: "Serving HTTP on 0.0.0.0 port 9000", sig: kernel.SIGTERM, code: -1,
		},
		{
			image: "busybox", args: []string{"httpd", "-f", "-p", "8080", "-h", "/etc"}, port: 8080, path: "/passwd",
			want: "200 root:x:0:0:", sig: kernel.SIGTERM, code: -1,
		},
		{image: "busybox", args: []string{"httpd", "-f", "-p", "8080", "-h", "/etc"}, port: 8080, path: "/", want: "404 <HTML>", sig: kernel.SIGTERM, code: -1},
		{
			image: "busybox", args: []string{"sh", "-c", "httpd -p 127.0.0.1:81 -h /etc && sleep 60 & wait"},
			port: 81, path: "/group", want: "200 root:x:0:", sig: kernel.SIGTERM, code: -1,
		},
		{image: "registry.k8s.io/pause:3.10", port: 80, want: "refused", sig: kernel.SIGTERM, log: ""},
		{image: agnhost, port: 80, want: "refused", log: "Paused\nSignals registered\n", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"netexec"}, port: 8080, path: "/hostname", want: "200 host-1", log: "GET /hostname", sig: kernel.SIGTERM},
		{image: agnhost, args: []string{"netexec", "--http-port=80"}, port: 80, path: "/echo?msg=hello&code=418", want: "418 hello", sig: kernel.SIGTERM},
		{image: agnhost, args: []string{"netexec", "--delay-shutdown", "100"}, port: 8080, path: "/healthz", want: "200", sig: kernel.SIGTERM, code: -1},
		{image: agnhost, args: []string{"serve-hostname"}, port: 9376, path: "/", want: "200 host-1", sig: kernel.SIGTERM, code: -1},
		{image: agnhost, args: []string{"liveness"}, after: 10 * time.Second, port: 8080, path: "/healthz", want: "200 ok", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"liveness"}, after: 11 * time.Second, port: 8080, path: "/healthz", want: "500 error: 11", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"grpc-health-checking"}, port: 8080, path: "/make-not-serving", want: "200 1s", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"porter"}, env: []string{"SERVE_PORT_81=foo"}, port: 81, path: "/", want: "200 foo", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"test-webserver"}, port: 80, path: "/etc/os-release", want: "200 NAME=\"Alpine Linux\"", sig: kernel.SIGTERM, code: 2},
		{image: agnhost, args: []string{"test-webserver"}, port: 80, path: "/localhost.crt", want: "200 -----BEGIN CERTIFICATE-----", sig: kernel.SIGTERM, code: 2},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.image, tt.command, tt.args, tt.port, tt.path, tt.after), func(t *testing.T) {
			t.Parallel()
			b := begin(t, tt.image, corev1.Container{Command: tt.command, Args: tt.args}, tt.env...)
			b.run(max(tt.after, time.Second))
			got := b.get(tt.port, tt.path)
			if tt.path == "" {
				got = b.ask(kernel.Query{Kind: kernel.QueryTCP, Port: tt.port})
			}
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("port %d answers %q, want %q", tt.port, got, tt.want)
			}
			if !strings.Contains(b.out.String(), tt.log) {
				t.Errorf("log is %q, want %q in it", b.out.String(), tt.log)
			}
			if b.exited {
				t.Fatalf("the container exited with %d: %s", b.code, b.out.String())
			}
			b.signal(tt.sig)
			b.run(10 * time.Second)
			if b.exited != (tt.code >= 0) || b.exited && b.code != tt.code {
				t.Errorf("on SIG%s: exited %v with %d, want %d", tt.sig, b.exited, b.code, tt.code)
			}
		})
	}
}

// TestServers_TLS queries ports with and without TLS.
func TestServers_TLS(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhost, corev1.Container{Args: []string{"porter"}},
		"SERVE_PORT_80=plain", "SERVE_TLS_PORT_443=secret", "SERVE_UDP_PORT_53=datagram", "SERVE_PORT_x=no")
	b.run(time.Second)
	got := map[string]string{}
	for _, port := range []int{80, 443} {
		for _, tls := range []bool{false, true} {
			got[fmt.Sprint(port, " ", tls)] = b.ask(kernel.Query{Kind: kernel.QueryHTTP, Port: port, TLS: tls, Method: "GET", Path: "/"})
		}
	}
	got["53"] = b.ask(kernel.Query{Kind: kernel.QueryUDP, Port: 53, Body: "x"})
	want := map[string]string{
		"80 false": "200 plain", "80 true": string(kernel.OutcomePlain), "53": "0 datagram",
		"443 false": "400 Client sent an HTTP request to an HTTPS server.", "443 true": "200 secret",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// TestServers_ProbesLeaveNoTrace: a probe's request adds no line to the log.
func TestServers_ProbesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	b := begin(t, "nginx", corev1.Container{})
	b.run(time.Second)
	before := b.out.String()
	b.ask(kernel.Query{Kind: kernel.QueryHTTP, Port: 80, Path: "/", Header: kernel.Texts{"User-Agent: kube-probe/1.36"}})
	if b.out.String() != before {
		t.Errorf("log grew by %q", strings.TrimPrefix(b.out.String(), before))
	}
}

// TestServers_NginxReadsItsFiles: nginx serves the files as they are at the time of the request, and
// uses the mounted configuration.
func TestServers_NginxReadsItsFiles(t *testing.T) {
	t.Parallel()
	b := begin(t, "nginx", corev1.Container{})
	const conf = "server { listen 8080 default_server; listen [::]:8080;\n" +
		" location = /ping { default_type text/plain; return 200 \"pong from $hostname\\n\"; }\n" +
		" location /old { return 301 https://example.com/new; } location /api/ { proxy_pass http://backend; } # a comment ;\n" +
		" location /data/ { alias /srv/; autoindex on; } }"
	for path, text := range map[string]string{"/etc/nginx/conf.d/default.conf": conf, "/srv/a.txt": "a"} {
		if err := b.fs.MkdirAll("/srv", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := b.fs.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.run(time.Second)
	for path, want := range map[string]string{
		"/ping": "200 pong from host-1", "/old/x": "301 <html>", "/api/x": "502 <html>",
		"/data/a.txt": "200 a", "/data/": "200 <!DOCTYPE",
	} {
		if got := b.get(8080, path); !strings.HasPrefix(got, want) {
			t.Errorf("GET %s returns %q, want %q", path, got, want)
		}
	}
	if got := b.get(80, "/"); got != "refused" {
		t.Errorf("port 80 answers %q, want refused", got)
	}
	if err := b.fs.WriteFile("/etc/nginx/conf.d/default.conf", []byte("server { listen 80;"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := begin(t, "nginx", corev1.Container{})
	_ = broken.fs.WriteFile("/etc/nginx/conf.d/default.conf", []byte("server { listen 80;"), 0o644)
	broken.run(time.Second)
	if !broken.exited || broken.code != 1 || !strings.Contains(broken.out.String(), `[emerg] unexpected end of file, expecting "}"`) {
		t.Errorf("with a broken configuration: exited %v with %d: %q", broken.exited, broken.code, broken.out.String())
	}
}
