package e2e_test

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/rowlocktest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *against != "" {
		os.Exit(m.Run()) // connections to an external server end later
	}
	goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...)
}

// patience bounds every wait for something that a cluster does by itself, on a busy machine.
const patience = 2 * time.Minute

// front is the API of one cluster, and the test that uses it. The test's own subtests may share it;
// each takes it with at.
type front struct {
	testing.TB
	kubernetes.Interface
	dynamic dynamic.Interface
	http    *http.Client
	host    string
}

// open starts a cluster of one replica.
func open(t *testing.T) *front { return connect(t, rowlocktest.Start(t)) }

// openTwo starts two replicas over one database. Requests alternate between them.
func openTwo(t *testing.T) *front {
	database := pgtest.NewURL(t)
	var hosts [2]string
	for i := range hosts {
		hosts[i] = serve(t, database)
	}
	turns := &alternation{hosts: hosts}
	return connect(t, &rest.Config{Host: "http://" + hosts[0], QPS: -1, WrapTransport: func(next http.RoundTripper) http.RoundTripper {
		turns.next = next
		return turns
	}})
}

// serve starts a replica over the database and returns the host at which it listens.
func serve(t *testing.T, database string) string {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	replica, err := cluster.Open(ctx, cluster.Config{DatabaseURL: database, Nodes: 3, LoopbackGuard: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(replica.Close)
	server := httptest.NewServer(replica.Handler())
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// alternation sends requests to the hosts in turn.
type alternation struct {
	hosts [2]string
	turn  atomic.Uint64
	next  http.RoundTripper
}

func (a *alternation) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = a.hosts[a.turn.Add(1)%2]
	r.Host = r.URL.Host
	return a.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client asks of its transport.
func (a *alternation) CloseIdleConnections() {
	if c, ok := a.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// onEach runs a test on a cluster of one replica and on one of two, which must look the same.
func onEach(t *testing.T, test func(f *front)) {
	for _, c := range []struct {
		name string
		open func(*testing.T) *front
	}{{"one replica", open}, {"two replicas", openTwo}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			test(c.open(t))
		})
	}
}

func connect(t *testing.T, config *rest.Config) *front {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	f := &front{TB: t, http: client, host: config.Host}
	if f.Interface, err = kubernetes.NewForConfigAndClient(config, client); err != nil {
		t.Fatal(err)
	}
	if f.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		t.Fatal(err)
	}
	return f
}

// at returns the same front for a subtest.
func (f *front) at(t *testing.T) *front {
	sub := *f
	sub.TB = t
	return &sub
}

// run runs a subtest in parallel with its neighbours.
func (f *front) run(name string, test func(f *front)) {
	f.Helper()
	t, ok := f.TB.(*testing.T)
	if !ok {
		f.Fatal("only tests have subtests")
	}
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		test(f.at(t))
	})
}

// namespace creates a namespace, so that subtests do not see each other's objects.
func (f *front) namespace(name string) string {
	f.Helper()
	f.must(f.create("", "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+name+"}"))
	return name
}

// answer is the answer to a request, without the parts that only machines read.
type answer struct {
	Code    int
	Reason  metav1.StatusReason
	Message string
}

// send sends a request as curl does. A body is YAML, or JSON where it begins with a brace.
func (f *front) send(method, path, contentType, body string) (code int, answered []byte) {
	f.Helper()
	target, err := url.JoinPath(f.host, strings.SplitN(path, "?", 2)[0])
	if err != nil {
		f.Fatal(err)
	}
	if _, query, ok := strings.Cut(path, "?"); ok {
		target += "?" + query
	}
	r, err := http.NewRequestWithContext(f.Context(), method, target, strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := f.http.Do(r)
	if err != nil {
		f.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end
	if answered, err = io.ReadAll(resp.Body); err != nil {
		f.Fatal(err)
	}
	return resp.StatusCode, answered
}
