package image

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// exec runs a command in the container for a duration and returns its output.
func (b *container) exec(input string, d time.Duration, argv ...string) string {
	b.t.Helper()
	b.attends = true
	b.out.Reset()
	if _, err := b.k.Spawn("c", argv, []string{"PATH=" + kernel.DefaultPath}, "/", kernel.Stdio{Stdin: []byte(input)}); err != nil {
		b.t.Fatal(err)
	}
	b.run(d)
	return b.out.String()
}

// TestRedis talks to a server with redis-cli, from standard input and with arguments.
func TestRedis(t *testing.T) {
	t.Parallel()
	b := begin(t, "redis:7", corev1.Container{Args: []string{"redis-server", "--requirepass", "a b", "--port", "7000"}})
	b.run(time.Second)
	tests := []struct{ input, command, want string }{
		{"", "redis-cli -p 7000 get a", "NOAUTH Authentication required.\n\n"},
		{"", "redis-cli -p 7000 -a|a b|set a 1 ex 20", "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\nOK\n"},
		{"", "redis-cli -p 7000 -a|a b|--no-auth-warning --no-raw get a", "\"1\"\n"},
		{"rpush l x y\nlrange l 0 -1\n\nselect 3\ndbsize\nget 'a\n", "redis-cli -p 7000 --no-auth-warning -u|redis://default:a%20b@localhost:7000", "2\nx\ny\nOK\n0\nInvalid argument(s)\n"},
		{"", "redis-cli -p 7000 -a wrong ping", "AUTH failed: WRONGPASS invalid username-password pair or user is disabled.\nNOAUTH Authentication required.\n\n"},
		{"", "redis-cli -p 7000 --pass|a b|-n 2 -r 3 -i 1 incr n", "1\n2\n3\n"},
		{"text", "redis-cli -p 7000 --pass|a b|-x set a", "OK\n"},
		{"", "redis-cli -p 7000 --pass|a b|--no-raw blpop nothing 2", "(nil)\n"},
		{"", "redis-cli ping", "Could not connect to Redis at 127.0.0.1:6379: Connection refused\n"},
	}
	for _, tt := range tests {
		var argv []string
		for i, part := range strings.Split(tt.command, "|") {
			if i == 1 {
				argv = append(argv, part)
				continue
			}
			argv = append(argv, strings.Fields(part)...)
		}
		if i := len(argv) - 1; strings.Contains(tt.command, "--pass") && i > 0 {
			tt.want = "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n" + tt.want
		}
		if strings.Contains(tt.command, "-u|") || strings.Contains(tt.command, "-a wrong") {
			tt.want = "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n" + tt.want
		}
		if got := b.exec(tt.input, 5*time.Second, argv...); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.command, got, tt.want)
		}
	}
}

// TestRedis_Blocks makes two workers wait for what a third client adds: the one that has waited
// longer is served first, even if that takes longer than the server holds a request.
func TestRedis_Blocks(t *testing.T) {
	t.Parallel()
	b := begin(t, "redis", corev1.Container{})
	b.run(time.Second)
	b.exec("", time.Second, "sh", "-c", "redis-cli --no-raw blpop jobs 0 | sed s/^/first:/ >/first & redis-cli blmove jobs done left right 100 >/second & sleep 1000")
	b.exec("", 70*time.Second, "true")
	if got := b.exec("", time.Second, "redis-cli", "rpush", "jobs", "a"); got != "1\n" {
		t.Errorf("pushed: %q", got)
	}
	b.exec("", 5*time.Second, "redis-cli", "rpush", "jobs", "b", "c")
	if got := b.exec("", time.Second, "sh", "-c", "cat /first /second; redis-cli lrange done 0 -1; redis-cli lrange jobs 0 -1"); got != "first:1) \"jobs\"\nfirst:2) \"a\"\nb\nb\nc\n" {
		t.Errorf("they got %q", got)
	}
}

// TestRedis_Saves keeps the data in a file when the server stops or gets SAVE, and reads it
// at the start.
func TestRedis_Saves(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]string{
		"TERM": "kill %1", "SHUTDOWN": "redis-cli shutdown", "SAVE": "redis-cli save; kill -9 %1", "appendonly": "kill -9 %1",
		"nosave": "redis-cli shutdown nosave",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := begin(t, "redis", corev1.Container{Command: []string{"sleep", "1000"}})
			b.attends = true
			b.run(time.Second)
			b.exec("", 10*time.Second, "bash", "-c",
				"echo appendonly "+map[bool]string{true: "yes", false: "no"}[name == "appendonly"]+
					" >/r.conf; redis-server /r.conf >/log & sleep 1; redis-cli set a kept >/dev/null; "+stop+
					" >/dev/null; wait; redis-server /r.conf >/log & sleep 1")
			want := "kept\n"
			if name == "nosave" {
				want = "\n"
			}
			if got := b.exec("", time.Second, "redis-cli", "get", "a"); got != want {
				t.Errorf("%q; want %q; log %s", got, want, b.exec("", time.Second, "cat", "/log"))
			}
		})
	}
}

// TestRedis_Copies has a server copy another one, show its changes, and continue without it.
func TestRedis_Copies(t *testing.T) {
	t.Parallel()
	b := begin(t, "redis", corev1.Container{Command: []string{"sleep", "1000"}})
	b.run(time.Second)
	b.exec("", time.Second, "bash", "-c", "redis-server --port 7000 --replicaof 127.0.0.1 6379 >/log & redis-server >/leader & sleep 1000")
	got := b.exec("", 30*time.Second, "sh", "-c",
		"redis-cli set a 1; redis-cli -p 7000 get a; redis-cli incr a; redis-cli -p 7000 get a; redis-cli -p 7000 set a 5; "+
			"redis-cli shutdown nosave; redis-cli -p 7000 get a; grep -c MASTER /log")
	if want := "OK\n1\n2\n2\nREADONLY You can't write against a read only replica.\n\n2\n3\n"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// TestGuestbook keeps entries in the leader and reads them from a follower, under the tutorial's
// current and former names.
func TestGuestbook(t *testing.T) {
	t.Parallel()
	ask := func(b *container, query string) string {
		b.t.Helper()
		a := b.answer(kernel.Query{Kind: kernel.QueryHTTP, Port: 80, Method: "GET", Path: kernel.Text("/guestbook.php?" + query)})
		b.run(time.Second)
		if a.Later != 0 {
			a, _ = b.k.Reply(a.Later)
		}
		return string(a.Body)
	}
	b := begin(t, "us-docker.pkg.dev/google-samples/containers/gke/gb-frontend:v5", corev1.Container{},
		"GET_HOSTS_FROM=env", "REDIS_LEADER_SERVICE_HOST=127.0.0.1", "REDIS_FOLLOWER_SERVICE_HOST=127.0.0.1")
	b.attends = true
	b.run(time.Second)
	if got := b.get(80, "/"); !strings.HasPrefix(got, "200 <html ng-app") || !strings.Contains(got, "guestbook.php") {
		t.Errorf("the page is %q", got)
	}
	if got := ask(b, "cmd=get&key=messages"); !strings.Contains(got, "Connection refused [tcp://127.0.0.1:6379]") {
		t.Errorf("without a Redis: %q", got)
	}
	server := begin(t, "redis", corev1.Container{})
	server.run(time.Second)
	b.peer = server
	for query, want := range map[string]string{"cmd=set&key=messages&value=,hello": `{"message": "Updated"}`, "cmd=get&key=none": `{"data": ""}`} {
		if got := ask(b, query); got != want {
			t.Errorf("%s: %q; want %q", query, got, want)
		}
	}
	b.out.Reset()
	if got := ask(b, "cmd=get&key=messages"); got != `{"data": ",hello"}` || !strings.Contains(b.out.String(), `"GET /guestbook.php?cmd=get&key=messages HTTP/1.1" 200 18`) {
		t.Errorf("the entry: %q; log %q", got, b.out.String())
	}
}

// TestWorker works on each item in the queue for ten seconds, waits for items that another worker
// may return, and ends.
func TestWorker(t *testing.T) {
	t.Parallel()
	server := begin(t, "redis", corev1.Container{})
	server.run(time.Second)
	server.exec("", time.Second, "redis-cli", "rpush", "job2", "apple", "banana")
	server.exec("", time.Second, "redis-cli", "rpush", "job2:processing", "lost")
	b := begin(t, "gcr.io/myproject/job-wq-2", corev1.Container{})
	b.peer = server
	b.run(15 * time.Second)
	server.run(15 * time.Second)
	server.exec("", time.Second, "redis-cli", "del", "job2:processing")
	b.run(20 * time.Second)
	session, log, _ := strings.Cut(b.out.String(), "\n")
	if !strings.HasPrefix(session, "Worker with sessionID: ") || len(session) != len("Worker with sessionID: ")+36 {
		t.Errorf("it begins with %q", session)
	}
	if want := "Initial queue state: empty=False\nWorking on banana\nWorking on apple\nQueue empty, exiting\n"; log != want || b.code != 0 || !b.exited {
		t.Errorf("it ended %v with %d: %q", b.exited, b.code, log)
	}
	if got := server.exec("", time.Second, "redis-cli", "keys", "*"); got != "\n" {
		t.Errorf("it leaves %q", got)
	}
	alone := begin(t, "gcr.io/myproject/job-wq-2", corev1.Container{})
	alone.run(time.Second)
	if !alone.exited || alone.code != 1 || !strings.Contains(alone.out.String(), "Connection refused.") {
		t.Errorf("alone it ended %v with %d: %q", alone.exited, alone.code, alone.out.String())
	}
}
