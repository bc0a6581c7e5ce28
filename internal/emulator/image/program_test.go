package image

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// container runs an image's program on its own kernel.
type container struct {
	t        *testing.T
	k        *kernel.Kernel
	fs       *vfs.View
	out      strings.Builder
	exited   bool
	code     int
	at       time.Duration // of the exit
	served   map[int]bool  // ports of the Pod that take connections from clients
	attends  bool          // its own servers answer the queries of its processes, or
	peer     *container    // those of this one
	startErr error
}

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// begin starts a container; env is added to the image's environment.
func begin(t *testing.T, name string, c corev1.Container, env ...string) *container {
	t.Helper()
	img, err := builtIn.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	b := &container{t: t, k: kernel.New("seed", noon)}
	b.fs = vfs.NewView(vfs.NewTree("root", img.Base(), noon), "seed", noon)
	dev := vfs.NewTree("dev", nil, noon)
	if err := b.fs.Mount("/dev", dev, "/", false); err != nil {
		t.Fatal(err)
	}
	uid, gid, _ := img.User()
	b.k.AddSandbox(kernel.Sandbox{Name: "c", Hostname: "host-1", UID: uid, GID: gid, FS: b.fs})
	b.k.Output = func(w kernel.Written) { b.out.Write(w.Data) }
	if err := b.fs.MkdirAll(img.WorkingDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	_, b.startErr = b.k.Spawn("c", img.Argv(&c), append(img.Env(), env...), img.WorkingDir(), kernel.Stdio{})
	return b
}

// run lets time pass. In between, all state is written as JSON and read back, as between two syncs
// of a replica.
func (b *container) run(d time.Duration) {
	b.t.Helper()
	if b.startErr != nil {
		b.t.Fatal(b.startErr)
	}
	b.restore()
	for until := b.k.Now().Add(d); ; {
		stop := b.k.Run(until, kernel.Budget{Steps: 1e6})
		switch stop.Kind {
		case kernel.KindExit:
			if stop.Exit.PID == 1 {
				b.exited, b.code, b.at = true, stop.Exit.Code, stop.Exit.At
				return
			}
		case kernel.KindQuery:
			a := kernel.Answer{Outcome: kernel.OutcomeRefused}
			if b.served[stop.Query.Port] {
				a.Outcome = kernel.OutcomeOK
			}
			if stop.Query.Kind == kernel.QueryDNS {
				a = kernel.Answer{Addresses: []string{"10.0.0.9"}}
			} else if b.peer != nil {
				a = b.peer.answer(stop.Query)
			} else if b.attends {
				a = b.answer(stop.Query)
			}
			if err := b.k.Answer(stop.Query.ID, a); err != nil {
				b.t.Fatal(err)
			}
		case kernel.KindSpent:
			b.t.Fatal("the budget is spent")
		default:
			b.k.Advance(until)
			return
		}
	}
}

func (b *container) restore() {
	b.t.Helper()
	text, err := json.Marshal(b.k)
	if err != nil {
		b.t.Fatal(err)
	}
	next := &kernel.Kernel{}
	if err := json.Unmarshal(text, next); err != nil {
		b.t.Fatal(err)
	}
	next.SetFS("c", b.fs)
	next.Output = b.k.Output
	if again, _ := json.Marshal(next); !bytes.Equal(again, text) {
		b.t.Fatalf("state changes when it is read:\n%s\n%s", text, again)
	}
	b.k = next
}

func (b *container) signal(sig kernel.Signal) { b.k.Signal("c", 1, sig) }

// get returns the status and the body of an HTTP response, as "200 text", or the outcome.
func (b *container) get(port int, path string) string {
	return b.ask(kernel.Query{Kind: kernel.QueryHTTP, Port: port, Path: kernel.Text(path), Method: "GET", Host: "10.1.2.3", Header: kernel.Texts{"User-Agent: test"}})
}

// answer returns the answer of the first of the container's servers that listens.
func (b *container) answer(q kernel.Query) kernel.Answer {
	for _, p := range b.k.Processes {
		s, ok := p.Run.Program.(interface {
			Serve(p *kernel.Process, q kernel.Query) kernel.Answer
		})
		if !ok {
			continue
		}
		if a := s.Serve(p, q); a.Outcome != kernel.OutcomeRefused {
			b.k.Poke(p)
			return a
		}
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

func (b *container) ask(q kernel.Query) string {
	for _, p := range b.k.Processes {
		s, ok := p.Run.Program.(interface {
			Serve(p *kernel.Process, q kernel.Query) kernel.Answer
		})
		if !ok {
			continue
		}
		a := s.Serve(p, q)
		b.k.Poke(p)
		if a.Outcome != kernel.OutcomeOK {
			return string(a.Outcome)
		}
		return strings.TrimSpace(fmt.Sprint(a.Status, " ", a.Body))
	}
	return "refused"
}

// TestServers_TLS asks ports with and without TLS.
func TestServers_TLS(t *testing.T) {
	t.Parallel()
	const agnhost = "registry.k8s.io/e2e-test-images/agnhost:2.55"
	b := begin(t, agnhost, corev1.Container{Args: []string{"porter"}}, "SERVE_PORT_80=plain", "SERVE_TLS_PORT_443=secret", "SERVE_UDP_PORT_53=datagram", "SERVE_PORT_x=no")
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
		code    int // its exit code after the signal; −1: it continues
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
		{image: "ghcr.io/stefanprodan/podinfo:6.9.0", command: words("./podinfo --port=8080 --port-metrics=9797"), port: 9797, path: "/metrics", want: "200 #", sig: kernel.SIGTERM},
		{image: "traefik:v3.2", port: 80, path: "/", want: "404 404 page not found", sig: kernel.SIGTERM},
		{
			image: "traefik:v3.2",
			args: words("--entryPoints.traefik.address=:8080/tcp --entryPoints.web.address=:8000/tcp " +
				"--api.dashboard=true --ping=true"),
			port: 8000, path: "/", want: "404", sig: kernel.SIGTERM,
		},
		{image: "traefik:v3.2", args: words("--entryPoints.traefik.address=:8080/tcp --entryPoints.web.address=:8000/tcp --ping=true"), port: 8080, path: "/ping", want: "200 OK", sig: kernel.SIGTERM},
		{image: "traefik:v3.2", args: words("--entryPoints.web.address=:8000"), port: 80, path: "/", want: "refused", sig: kernel.SIGTERM},
		{image: "vish/stress", args: words("-cpus 2"), after: time.Hour, port: 80, want: "refused", log: "Spawning a thread to consume CPU", sig: kernel.SIGTERM, code: 2},
		{image: "vish/stress", after: time.Hour, port: 80, want: "refused", log: `Allocating "0" memory`, sig: kernel.SIGTERM, code: 2},
		{image: "kubernetes/pause", port: 80, want: "refused", sig: kernel.SIGTERM},
		{image: "k8s.gcr.io/test-webserver", port: 80, path: "/test-webserver", want: "200", sig: kernel.SIGTERM, code: 2},
		{image: "k8s.gcr.io/serve_hostname", port: 9376, path: "/", want: "200 host-1", sig: kernel.SIGTERM, code: -1},
		{image: "gcr.io/google_samples/gb-frontend:v3", port: 80, path: "/", want: "200 <html ng-app", sig: kernel.SIGTERM},
		{image: "redis:7.2", port: 6379, want: "0", log: "Redis version=7.2,", sig: kernel.SIGTERM},
		{image: "redis", args: []string{"redis-server", "--port", "7000"}, port: 7000, want: "0", log: "port=7000.", sig: kernel.SIGTERM},
		{image: "redis", args: []string{"--port", "7000"}, port: 7000, want: "0", sig: kernel.SIGTERM},
		{image: "postgres:16", env: []string{"POSTGRES_PASSWORD=x"}, after: 4 * time.Second, port: 5432, want: "0", log: "ready to accept connections", sig: kernel.SIGINT},
		{image: "postgres:16", env: []string{"POSTGRES_PASSWORD=x"}, after: 2 * time.Second, port: 5432, want: "refused", sig: kernel.SIGTERM},
		{image: "mysql:8", env: []string{"MYSQL_ROOT_PASSWORD=x"}, after: 9 * time.Second, port: 3306, want: "0", log: "ready for connections. Version: '8'", sig: kernel.SIGTERM},
		{image: "mariadb", env: []string{"MARIADB_ROOT_PASSWORD=x"}, after: 6 * time.Second, port: 3306, want: "0", sig: kernel.SIGTERM},
		{image: "memcached", port: 11211, want: "0", sig: kernel.SIGTERM},
		{
			image: "gcr.io/google-samples/hello-app:1.0", port: 8080, path: "/",
			want: "200 Hello, world!\nVersion: 1.0.0\nHostname: host-1", log: "Server listening on port 8080",
			sig: kernel.SIGTERM, code: 2,
		},
		{image: "gcr.io/google-samples/kubernetes-bootcamp:v1", port: 8080, path: "/", want: "200 Hello Kubernetes bootcamp! | Running on: host-1 | v=1", sig: kernel.SIGTERM, code: -1},
		{image: "hashicorp/http-echo", args: []string{"-text=hi there"}, port: 5678, path: "/", want: "200 hi there", sig: kernel.SIGTERM},
		{image: "registry.k8s.io/echoserver:1.10", port: 8080, path: "/a", want: "200 \n\nHostname: host-1", sig: kernel.SIGTERM},
		{image: "elasticsearch:8", after: 11 * time.Second, port: 9200, path: "/", want: "200 {\n  \"name\" : \"host-1\"", log: `"started {host-1}"`, sig: kernel.SIGTERM, code: 143},
		{
			image: "python:3", args: []string{"python3", "-m", "http.server", "9000"}, port: 9000, path: "/etc/",
			want: "200 <!DOCTYPE HTML>", log: "Serving HTTP on 0.0.0.0 port 9000", sig: kernel.SIGTERM, code: -1,
		},
		{image: "busybox", args: []string{"httpd", "-f", "-p", "8080", "-h", "/etc"}, port: 8080, path: "/passwd", want: "200 root:x:0:0:", sig: kernel.SIGTERM, code: -1},
		{image: "busybox", args: []string{"httpd", "-f", "-p", "8080", "-h", "/etc"}, port: 8080, path: "/", want: "404 <HTML>", sig: kernel.SIGTERM, code: -1},
		{image: "busybox", args: []string{"sh", "-c", "httpd -p 127.0.0.1:81 -h /etc && sleep 60 & wait"}, port: 81, path: "/group", want: "200 root:x:0:", sig: kernel.SIGTERM, code: -1},
		{image: "registry.k8s.io/pause:3.10", port: 80, want: "refused", sig: kernel.SIGTERM, log: ""},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", port: 80, want: "refused", log: "Paused\nSignals registered\n", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"netexec"}, port: 8080, path: "/hostname", want: "200 host-1", log: "GET /hostname", sig: kernel.SIGTERM},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"netexec", "--http-port=80"}, port: 80, path: "/echo?msg=hello&code=418", want: "418 hello", sig: kernel.SIGTERM},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"netexec", "--delay-shutdown", "100"}, port: 8080, path: "/healthz", want: "200", sig: kernel.SIGTERM, code: -1},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"serve-hostname"}, port: 9376, path: "/", want: "200 host-1", sig: kernel.SIGTERM, code: -1},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"liveness"}, after: 10 * time.Second, port: 8080, path: "/healthz", want: "200 ok", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"liveness"}, after: 11 * time.Second, port: 8080, path: "/healthz", want: "500 error: 11", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"grpc-health-checking"}, port: 8080, path: "/make-not-serving", want: "200 1s", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"porter"}, env: []string{"SERVE_PORT_81=foo"}, port: 81, path: "/", want: "200 foo", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"test-webserver"}, port: 80, path: "/etc/os-release", want: "200 NAME=\"Alpine Linux\"", sig: kernel.SIGTERM, code: 2},
		{image: "registry.k8s.io/e2e-test-images/agnhost:2.55", args: []string{"test-webserver"}, port: 80, path: "/localhost.crt", want: "200 -----BEGIN CERTIFICATE-----", sig: kernel.SIGTERM, code: 2},
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
				t.Fatalf("it ended with %d: %s", b.code, b.out.String())
			}
			b.signal(tt.sig)
			b.run(10 * time.Second)
			if b.exited != (tt.code >= 0) || b.exited && b.code != tt.code {
				t.Errorf("on SIG%s it ended %v with %d, want %d", tt.sig, b.exited, b.code, tt.code)
			}
		})
	}
}

// Probes' requests leave no line in a log: they are frequent, and logs never show each of them.
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

// nginx serves the files as they are at the time of the request, and uses the configuration that is
// mounted.
func TestServers_NginxReadsItsFiles(t *testing.T) {
	t.Parallel()
	b := begin(t, "nginx", corev1.Container{})
	const conf = "server { listen 8080 default_server; listen [::]:8080;\n location = /ping { default_type text/plain; return 200 \"pong from $hostname\\n\"; }\n" +
		" location /old { return 301 https://example.com/new; } location /api/ { proxy_pass http://backend; } # a comment ;\n location /data/ { alias /srv/; autoindex on; } }"
	for path, text := range map[string]string{"/etc/nginx/conf.d/default.conf": conf, "/srv/a.txt": "a"} {
		if err := b.fs.MkdirAll("/srv", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := b.fs.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.run(time.Second)
	for path, want := range map[string]string{"/ping": "200 pong from host-1", "/old/x": "301 <html>", "/api/x": "502 <html>", "/data/a.txt": "200 a", "/data/": "200 <!DOCTYPE"} {
		if got := b.get(8080, path); !strings.HasPrefix(got, want) {
			t.Errorf("GET %s gives %q, want %q", path, got, want)
		}
	}
	if got := b.get(80, "/"); got != "refused" {
		t.Errorf("port 80 gives %q", got)
	}
	if err := b.fs.WriteFile("/etc/nginx/conf.d/default.conf", []byte("server { listen 80;"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := begin(t, "nginx", corev1.Container{})
	_ = broken.fs.WriteFile("/etc/nginx/conf.d/default.conf", []byte("server { listen 80;"), 0o644)
	broken.run(time.Second)
	if !broken.exited || broken.code != 1 || !strings.Contains(broken.out.String(), `[emerg] unexpected end of file, expecting "}"`) {
		t.Errorf("with a broken configuration: ended %v, %d, %q", broken.exited, broken.code, broken.out.String())
	}
}

// stress is killed if it takes more memory than its container may use.
func TestStress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args, limit string
		code, at    int
	}{
		{"stress --vm 1 --vm-bytes 150M --vm-hang 1", "209715200", -1, 0},
		{"stress --vm 1 --vm-bytes 250M --vm-hang 1", "104857600", 137, 0},
		{"stress --vm 1 --vm-bytes 250M --timeout 10s", "", 0, 10},
		{"stress --vm 2 --vm-bytes 100M --timeout 10", "157286400", 137, 0},
		{"stress -mem-total 150Mi -mem-alloc-size 10Mi -mem-alloc-sleep 1s -cpus 2", "104857600", 137, 0},
		{"stress --cpu 1 -t 1m", "104857600", 0, 60},
		{"stress", "", 0, 0},
		{"stress --vm 1 --vm-bytes lots", "", 125, 0},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			b := begin(t, "polinux/stress", corev1.Container{Command: words(tt.args)})
			if tt.limit != "" {
				if err := b.fs.MkdirAll("/sys/fs/cgroup", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := b.fs.WriteFile("/sys/fs/cgroup/memory.max", []byte(tt.limit+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b.run(time.Hour)
			if b.exited != (tt.code >= 0) || b.exited && (b.code != tt.code || int(b.at.Seconds()) != tt.at) {
				t.Errorf("it ended %v with %d after %v, want %d after %d s: %s", b.exited, b.code, b.at, tt.code, tt.at, b.out.String())
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		image   string
		command []string
		env     []string
		out     string
		code    int
		at      int // its end, in whole seconds
	}{
		{"postgres", []string{"docker-entrypoint.sh", "postgres"}, nil, "Error: Database is uninitialized and superuser password is not specified.\n…", 1, 0},
		{"mysql", []string{"docker-entrypoint.sh", "mysqld"}, nil, "[ERROR] [Entrypoint]: Database is uninitialized…", 1, 0},
		{"hashicorp/http-echo", []string{"/http-echo"}, nil, "Missing -text option!\n", 127, 0},
		{"perl:5.34.0", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"}, nil, "3.14159265358979323846264338327950288419716939937510…", 0, 5},
		{"perl", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(20)"}, nil, "3.1415926535897932385\n", 0, 0},
		{"perl", []string{"perl", "-Mbignum=bpi", "-e", "print bpi(5)"}, nil, "3.1416", 0, 0},
		{"perl", []string{"perl", "-e", `print "hello\n"; sleep 3; exit 4`}, nil, "hello\n", 4, 3},
		{"perl", []string{"perl", "-e", `die "no"`}, nil, "no at -e line 1.\n", 255, 0},
		{"perl", []string{"perl", "-le", `print "a", 'b\n', 1 + 2 * 3`}, nil, "ab\\n7\n", 0, 0},
		{"perl", []string{"perl", "-e", `print "$x"`}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-e", `while (1) { sleep 1 }`}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(10001)"}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-de0"}, nil, "", 0, 0},
		{"perl", nil, nil, "", 0, 0},
		{"perl:5.34.0", []string{"perl", "-v"}, nil, "\nThis is perl 5, version 34, subversion 0 (v5.34.0)…", 0, 0},
		{"debian", []string{"perl", "-e", "print 'x'"}, nil, "x", 0, 0},
		{"python:3.12", []string{"python", "-c", "import time, sys\nprint('hi', 2 ** 10)\ntime.sleep(1.5); sys.exit(3)"}, nil, "hi 1024\n", 3, 1},
		{"python:3.12", []string{"python3", "-u", "-c", "import os; print('on ' + os.environ['WHERE'])"}, []string{"WHERE=earth"}, "on earth\n", 0, 0},
		{"python:3.12", []string{"python3", "-c", "import sys; sys.exit('broken')"}, nil, "broken\n", 1, 0},
		{"python:3.12", []string{"python3", "-c", "x = 1\nprint(x)"}, nil, "1\n", 0, 0},
		{"python:3.12", []string{"python3", "-c", "for i in range(3): print(i)"}, nil, "0\n1\n2\n", 0, 0},
		{"python", []string{"python3", "-c", evenFails}, []string{"JOB_COMPLETION_INDEX=2"}, "Hello world\n", 1, 0},
		{"python", []string{"python3", "-c", evenFails}, []string{"JOB_COMPLETION_INDEX=3"}, "Hello world\n", 0, 0},
		{"python", []string{"python3", "-c", succeeds}, []string{"JOB_COMPLETION_INDEX=2"}, "", 0, 0},
		{"python", []string{"python3", "-c", succeeds}, []string{"JOB_COMPLETION_INDEX=1"}, "", 1, 0},
		{"python",
			[]string{
				"python3", "-c",
				"import time\nn = 0\nwhile n < 3:\n    n += 1\n    print(f'round {n} of {1 + 2}', time.ctime(), flush=True)\n" +
					"    time.sleep(2)\nelsewhere = [1, 'a']; print(elsewhere, elsewhere[-1] in 'abc')",
			},
			nil,
			"round 1 of 3 Wed Mar  4 12:00:00 2026\nround 2 of 3 Wed Mar  4 12:00:02 2026\nround 3 of 3 Wed Mar  4 12:00:04 2026\n[1, 'a'] True\n", 0, 6},
		{
			"python",
			[]string{
				"python3", "-c",
				"import random, sys\nwhile True:\n  if random.random() < 2: break\nfor i in range(5):\n  if i == 1: continue\n" +
					"  if i > 2 and not i % 3: sys.exit(i)\n  print(i, end=' ')",
			},
			nil, "0 2 ", 3, 0,
		},
		{"python", []string{"python3", "-c", "print('a')\nraise ValueError('boom')"}, nil, "a\nTraceback (most recent call last):\n  File \"<string>\", line 2, in <module>\nValueError: boom\n", 1, 0},
		{"python", []string{"python3", "-c", "import os\nprint(os.environ['NONE'])"}, nil, "Traceback (most recent call last):\n  File \"<string>\", line 2, in <module>\nKeyError: 'NONE'\n", 1, 0},
		{"python", []string{"python3", "-c", "print(7 // 2, -7 % 3, -2 ** 2, 7 / 2, 2 ** 10, 1.5 + 1, 'ab' * 2, len('abc'), None, 1 < 2 or x)"}, nil, "3 2 -4 3.5 1024 2.5 abab 3 None True\n", 0, 0},
		{"python", []string{"python3", "-c", "print('a')\ndef f(): pass"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "while True: print('a')"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "x = [1]\nwhile True: x = [x, x]"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "import requests"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python:3.12", []string{"python3", "-m", "pip"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python:3.12", []string{"python3", "/app.py"}, nil, "python3: can't open file '/app.py': [Errno 2] No such file or directory\n", 2, 0},
		{"python:3.12", []string{"python", "--version"}, nil, "Python 3.12\n", 0, 0},
		{"python:3.12", nil, nil, "", 0, 0},
		{"node:22", []string{"node", "-e", "console.log('a', 1); process.exit(2)"}, nil, "a 1\n", 2, 0},
		{"node:22", []string{"node", "-e", "require('http').createServer().listen(1)"}, nil, "rowlock: this node program is not emulated\n", 125, 0},
		{"node:22", nil, nil, "", 0, 0},
		{"ruby", []string{"ruby", "-e", "puts 'x'; sleep 2; exit(5)"}, nil, "x\n", 5, 2},
		{"php", []string{"php", "-r", `echo "x\n"; sleep(1); exit(6);`}, nil, "x\n", 6, 1},
		{"golang:1.22", []string{"go", "version"}, nil, "go version go1.22 linux/amd64\n", 0, 0},
		{"golang:1.22", []string{"go", "run", "x.go"}, nil, "rowlock: go with these arguments is not emulated\n", 125, 0},
		{"openjdk:21", []string{"java", "-version"}, nil, "openjdk version \"21\"\n…", 0, 0},
		{"openjdk:21", []string{"java", "-jar", "x.jar"}, nil, "rowlock: java with these arguments is not emulated\n", 125, 0},
		{"busybox", []string{"httpd", "-h", "/none"}, nil, "httpd: can't change directory to '/none': No such file or directory\n", 1, 0},
		{"busybox", []string{"busybox", "httpd", "-h", "/none"}, nil, "httpd: can't change directory to '/none': No such file or directory\n", 1, 0},
		{"debian", []string{"service", "--status-all"}, nil, "rowlock: service is not emulated\n", 125, 0},
		{"ubuntu", []string{"apt-get", "update"}, nil, "rowlock: apt-get is not emulated\n", 125, 0},
		{"redis", []string{"redis-cli", "-p", "1", "ping"}, nil, "Could not connect to Redis at 127.0.0.1:1: Connection refused\n", 1, 0},
		{"redis", []string{"redis-cli", "--scan"}, nil, "rowlock: redis-cli --scan is not emulated\n", 125, 0},
		{"redis:7.2", []string{"redis-cli", "--version"}, nil, "redis-cli 7.2\n", 0, 0},
		{"redis", []string{"redis-cli", "--nope"}, nil, "Unrecognized option or bad number of args for: '--nope'\n", 1, 0},
		{"redis", []string{"redis-server", "/none.conf"}, nil, "1:C 04 Mar 2026 12:00:00.000 # Fatal error, can't open config file '/none.conf': No such file or directory\n", 1, 0},
		{
			"redis", []string{"sh", "-c", "echo maxmemory much >/a.conf; exec redis-server /a.conf"}, nil,
			"\n*** FATAL CONFIG FILE ERROR (Redis 7.4.1) ***\nReading the configuration file, at line 1\n" +
				">>> 'maxmemory much'\nargument must be a memory value\n",
			1, 0,
		},
		{"postgres", []string{"pg_isready", "-U", "postgres"}, nil, "/var/run/postgresql:5432 - no response\n", 2, 0},
		{"postgres:16.1", []string{"psql", "--version"}, nil, "psql (PostgreSQL) 16.1\n", 0, 0},
		{"mysql", []string{"mysqladmin", "ping", "-h", "localhost", "-ppassword"}, nil, "mysqld is alive\n", 0, 0},
		{"hello-world", nil, nil, "\nHello from Docker!\n…", 0, 0},
		{"registry.k8s.io/e2e-test-images/nonewprivs:1.4", nil, nil, "Effective uid: 1000\n", 0, 0},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "entrypoint-tester", "a", "b"}, nil, "[/agnhost entrypoint-tester a b]\n", 0, 0},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "mounttest", "--new_file_0644=/tmp/f", "--file_perm=/tmp/f", "--file_mode=/tmp", "--file_owner=/tmp/f"}, nil,
			"content of file \"/tmp/f\": mount-tester new file\n\nmode of file \"/tmp\": dtrwxrwxrwx\nperms of file \"/tmp/f\": -rw-r--r--\nowner UID of \"/tmp/f\": 0\nowner GID of \"/tmp/f\": 0\n", 0, 0},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "mounttest", "--file_content_in_loop=/none", "--retry_time=4"}, nil, "Error reading file /none: …", 1, 4},
		{
			"registry.k8s.io/e2e-test-images/agnhost:2.55",
			[]string{
				"/agnhost", "mounttest", "--new_file_0666=/tmp/f", "--break_on_expected_content=false",
				"--file_content_in_loop=/tmp/f", "--retry_time=4",
			},
			nil, "…", 0, 4,
		},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "mounttest", "--fs_type=/none", "--new_file_0666=/f", "--file_content_in_loop=/f"}, nil, "…", 1, 0},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "logs-generator", "--log-lines-total=2", "--run-duration=4s"}, nil, "I0304 12:00:00.0…", 0, 4},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"sh", "-c", "echo 10.0.0.1 a >/etc/hosts; /agnhost etc-hosts"}, nil, "10.0.0.1 a\n\n", 0, 0},
		{
			"registry.k8s.io/e2e-test-images/agnhost:2.55",
			[]string{
				"sh", "-c",
				"echo 'nameserver 10.0.0.10' >/etc/resolv.conf; echo 'search a.b c' >>/etc/resolv.conf; /agnhost dns-suffix; " +
					"/agnhost dns-server-list",
			},
			nil, "a.b,c\n10.0.0.10\n", 0, 0,
		},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"sh", "-c", ": >/etc/resolv.conf; /agnhost dns-suffix"}, nil, "panic: Could not find DNS search list!\n…", 2, 0},
		{"registry.k8s.io/e2e-test-images/agnhost:2.55", []string{"/agnhost", "resource-consumer"}, nil, "rowlock: agnhost resource-consumer is not emulated\n", 125, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.image, tt.command), func(t *testing.T) {
			t.Parallel()
			b := begin(t, tt.image, corev1.Container{Command: tt.command}, tt.env...)
			b.served = map[int]bool{6379: true, 3306: true}
			b.run(time.Minute)
			want, more := strings.CutSuffix(tt.out, "…")
			if !b.exited || b.code != tt.code || int(b.at.Seconds()) != tt.at {
				t.Errorf("it ended %v with %d after %v, want %d after %d s", b.exited, b.code, b.at, tt.code, tt.at)
			}
			if got := b.out.String(); got != want && !(more && strings.HasPrefix(got, want)) {
				t.Errorf("output is %q, want %q", got, tt.out)
			}
		})
	}
}

// The programs in Kubernetes' docs on indexed Jobs.
//
// Source: kubernetes/website content/en/examples/controllers/job-backoff-limit-per-index-example.yaml and job-success-policy.yaml
const (
	evenFails = "import os, sys\nprint(\"Hello world\")\nif int(os.environ.get(\"JOB_COMPLETION_INDEX\")) % 2 == 0:\n  sys.exit(1)\n"
	succeeds  = "import os, sys\nif os.environ.get(\"JOB_COMPLETION_INDEX\") == \"2\":\n  sys.exit(0)\nelse:\n  sys.exit(1)\n"
)
