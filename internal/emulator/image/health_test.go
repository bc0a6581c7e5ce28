package image

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// A Go server answers 400 to bytes that are not a request, and logs nothing.
func TestServers_SentNoRequest(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhost, corev1.Container{Args: []string{"netexec"}})
	b.run(time.Second)
	before := b.out.String()
	if got := b.ask(kernel.Query{Kind: kernel.QueryRaw, Port: 8080, Body: "hostName\n"}); !strings.HasPrefix(got, "0 HTTP/1.1 400 Bad Request\r\n") {
		t.Errorf("the server answers %q", got)
	}
	if b.out.String() != before {
		t.Errorf("the log grew by %q", strings.TrimPrefix(b.out.String(), before))
	}
}

// A gRPC health service reports what its flags and its control port set.
func TestServers_HealthChanges(t *testing.T) {
	t.Parallel()
	b := begin(t, agnhost, corev1.Container{Args: []string{"grpc-health-checking", "--service=web", "--delay-unhealthy-sec=10"}})
	check := func(when, service, want string) {
		t.Helper()
		if got := b.ask(kernel.Query{Kind: kernel.QueryGRPC, Port: 5000, Name: kernel.Text(service)}); got != want {
			t.Errorf("%s the service %q is %q, want %q", when, service, got, want)
		}
	}
	b.run(9 * time.Second)
	check("at first", "web", "0")
	check("at first", "other", "5 unknown service")
	b.run(2 * time.Second)
	check("after the delay", "web", "0 NOT_SERVING")
	b.get(8080, "/make-serving")
	check("as it was told", "web", "0")
	b.get(8080, "/make-not-serving")
	check("as it was told", "web", "0 NOT_SERVING")
}
