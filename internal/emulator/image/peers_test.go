package image

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

const agnhostImage = "registry.k8s.io/e2e-test-images/agnhost:2.55"

// TestServeHostname gets the host's name in each of the three ways, on the ports of that protocol
// only.
func TestServeHostname(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args           string
		tcp, udp, http string
		log            string
	}{
		{"serve-hostname", "0 HTTP/1.1 400 Bad Request", "refused", "200 host-1", "HTTP request from 127.0.0.1:1"},
		{"serve-hostname --http=false --tcp", "0 host-1", "refused", "reset", "TCP request from 127.0.0.1:1"},
		{"serve-hostname --udp --http=false --port=81", "refused", "0 host-1", "refused", "UDP request from 127.0.0.1:1"},
		{"serve-hostname --udp --tcp=true --http=false", "0 host-1", "0 host-1", "reset", "Serving on port 9376."},
	} {
		b := begin(t, agnhostImage, corev1.Container{Args: words(tt.args)})
		b.run(time.Second)
		port := 9376
		if strings.Contains(tt.args, "--port=81") {
			port = 81
		}
		for kind, want := range map[kernel.QueryKind]string{kernel.QueryRaw: tt.tcp, kernel.QueryUDP: tt.udp, kernel.QueryHTTP: tt.http} {
			if got := b.ask(kernel.Query{Kind: kind, Port: port, Method: "GET", Path: "/", Body: "x", From: "127.0.0.1"}); !strings.HasPrefix(got, want) {
				t.Errorf("%s answers a question of the kind %s by %q, want %q", tt.args, kind, got, want)
			}
		}
		if !strings.Contains(b.out.String(), tt.log) {
			t.Errorf("%s: the log lacks %q:\n%s", tt.args, tt.log, b.out.String())
		}
	}
	b := begin(t, agnhostImage, corev1.Container{Args: words("serve-hostname --tcp")})
	b.run(time.Second)
	if !b.exited || b.code != 1 || !strings.Contains(b.out.String(), "at the same time") {
		t.Errorf("TCP and HTTP at once: ended %v with %d: %s", b.exited, b.code, b.out.String())
	}
}

// TestGuestbook_Keeps shows that a primary without replicas keeps what is set.
func TestGuestbook_Keeps(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhostImage, corev1.Container{Args: words("guestbook --http-port 6379")})
	b.run(time.Second)
	for _, tt := range []struct{ path, want string }{
		{"/get?key=messages", `200 {"data":""}`},
		{"/set?key=messages&value=TestEntry", `200 {"message":"Updated"}`},
		{"/get?key=messages", `200 {"data":"TestEntry"}`},
		{"/set?key=a&value=%ff", `200 {"message":"Updated"}`},
		{"/get", `200 {"data":{"a":"\ufffd","messages":"TestEntry"}}`},
		{"/set?value=x", "400 cannot set with empty key."},
		{"/set?key=big&value=" + strings.Repeat("x", 70<<10), "417 rowlock: the guestbook is full"},
		{"/guestbook?cmd=drop", "400 unsupported cmd: 'drop'"},
		{"/guestbook?cmd=set", "400 cannot set with empty key."},
		{"/nothing", "404 404 page not found"},
		{"/register?host=10.0.0.7", `200 {"data":{"a":"\ufffd","messages":"TestEntry"}}`},
	} {
		b.restore()
		if got := b.get(6379, tt.path); got != tt.want {
			t.Errorf("%.40s: %q, want %q", tt.path, got, tt.want)
		}
	}
	if got := b.get(80, "/get"); got != "refused" {
		t.Errorf("at another port: %q", got)
	}
	b.signal(kernel.SIGTERM)
	if b.run(time.Second); b.code != 2 {
		t.Errorf("it ends with %d", b.code)
	}
}

// TestGuestbook_WithoutPrimary gives up after fifteen seconds.
func TestGuestbook_WithoutPrimary(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhostImage, corev1.Container{Args: words("guestbook --replicaof agnhost-primary --http-port 6379")})
	b.run(time.Minute)
	out := b.out.String()
	if !b.exited || b.code != 1 || b.at != 15*time.Second || !strings.Contains(out, "Registering to primary: agnhost-primary:6379/register?host=") ||
		!strings.HasSuffix(out, "Timed out while registering to primary.\n") {
		t.Errorf("ended %v at %s with %d:\n%s", b.exited, b.at, b.code, out)
	}
}

// TestNettest_Told records which peers have reported.
func TestNettest_Told(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhostImage, corev1.Container{Args: words("nettest --peers=1")})
	b.run(time.Second)
	post := func(body string) string {
		b.restore()
		return b.ask(kernel.Query{Kind: kernel.QueryHTTP, Port: 8080, Method: "POST", Path: "/write", Body: kernel.Text(body)})
	}
	for _, body := range []string{`{"Source": "prestop"}`, `{"Source": "prestop"}`, "{}", ""} {
		if got := post(body); got != `200 {"Hostname":"host-1"}` {
			t.Errorf("to %q it says %q", body, got)
		}
	}
	state := b.get(8080, "/read")
	for _, want := range []string{`"Hostname": "host-1"`, `"prestop": 2`, `"host-1: Got request with no source"`, `"EOF"`, `"StillContactingPeers": true`} {
		if !strings.Contains(state, want) {
			t.Errorf("/read lacks %s:\n%s", want, state)
		}
	}
	if got := b.get(8080, "/status"); got != "200 running" {
		t.Errorf("the status is %q", got)
	}
	b.run(10 * time.Minute) // there is no other peer
	if got := b.get(8080, "/status"); got != "200 fail" {
		t.Errorf("after five minutes and fifteen rounds the status is %q", got)
	}
	b.get(8080, "/quit")
	if b.run(time.Second); !b.exited || b.code != 0 {
		t.Errorf("it has ended: %v, with %d", b.exited, b.code)
	}
}

// TestNettest_Stops ends at once, or after a delay.
func TestNettest_Stops(t *testing.T) {
	t.Parallel()
	for args, code := range map[string]int{"nettest": 2, "nettest --delay-shutdown=3": 0} {
		b := begin(t, agnhostImage, corev1.Container{Args: words(args)})
		b.run(time.Second)
		b.signal(kernel.SIGTERM)
		if b.run(4 * time.Second); !b.exited || b.code != code {
			t.Errorf("%s has ended: %v, with %d", args, b.exited, b.code)
		}
	}
}
