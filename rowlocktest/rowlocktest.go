// Package rowlocktest gives a test a Kubernetes control plane of its own, in the test's own process
// and in a fraction of a second: an API server, the workload controllers, a scheduler and nodes on
// which emulated Pods run.
//
//	func TestMyOperator(t *testing.T) {
//		client := kubernetes.NewForConfigOrDie(rowlocktest.Start(t))
//		…
//	}
//
// Clusters share nothing, so tests that have one each may run in parallel.
//
// PostgreSQL 15 or newer must be installed, or a server named in ROWLOCK_TEST_DATABASE_URL or
// DATABASE_URL, whose user may create databases. With neither variable, the first Start starts an
// ephemeral server, which ends with the test binary. Each cluster has a database of its own there.
// It is cloned from a template, a database that the first Start creates and a named server keeps.
// It is dropped if the test passes; if the test fails, it is kept as long as its server lives, and
// the test's log says where.
package rowlocktest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store/loader"
)

const (
	// startTimeout bounds the start of one cluster on a busy machine.
	startTimeout = 30 * time.Second
	// stopTimeout bounds how long requests that the test has left behind may take to end.
	stopTimeout = 5 * time.Second
)

// Option configures the cluster that Start makes.
type Option func(*options)

// options configure a cluster.
type options struct {
	cluster.Config
	snapshot func() (io.ReadCloser, error) // nil for a cluster that begins empty
}

// WithNodes sets how many emulated nodes the cluster begins with; the default is 3. Without any,
// Pods stay Pending until the test creates Nodes.
func WithNodes(n int) Option { return func(o *options) { o.Nodes = n } }

// WithControllers chooses the controllers that run, by the names of kube-controller-manager's flag
// --controllers and the two for other programs, kube-scheduler and kubelet: "*" is all, "job" or
// "job-controller" that one, "-job" not that one. No argument means none at all, as in an API
// server alone. The default is all. Start fails t for an unknown name.
func WithControllers(names ...string) Option {
	return func(o *options) { o.Controllers = append([]string{}, names...) }
}

// FromSnapshot makes the cluster begin with the state in a file written by `rowlock snapshot save
// -o`: its objects with their uids and resourceVersions, the state of their programs, and its
// clock, which runs or is paused as it was. Nodes are those of the snapshot.
func FromSnapshot(path string) Option {
	return func(o *options) { o.snapshot = func() (io.ReadCloser, error) { return os.Open(path) } }
}

// FromSnapshotFile is FromSnapshot for an open file, of an embed.FS for example. It is read once,
// so each test needs its own.
func FromSnapshotFile(file fs.File) Option {
	return func(o *options) { o.snapshot = func() (io.ReadCloser, error) { return file, nil } }
}

// WithImages describes emulated images besides the built-in ones, in YAML as in docs/IMAGES.md. It
// panics if the text cannot be parsed.
func WithImages(text string) Option {
	models, err := emulator.ReadImages([]byte(text))
	if err != nil {
		panic("rowlocktest: images: " + err.Error())
	}
	return func(c *options) { c.Images = append(c.Images, models...) }
}

// Start starts a cluster and returns how to connect to it. Requests are not rate-limited. The
// cluster is ready, with its nodes and its namespaces, and ends with t. Start fails t if no
// PostgreSQL is available. Safe for concurrent use.
func Start(t testing.TB, opts ...Option) *rest.Config {
	t.Helper()
	// Messages of level Warn and above help the reader of a failed test.
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := options{Config: cluster.Config{DatabaseURL: pgtest.NewURL(t), Nodes: 3, LoopbackGuard: true, Log: log}}
	for _, opt := range opts {
		opt(&o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	if err := load(ctx, o); err != nil {
		t.Fatalf("rowlocktest: %v", err)
	}
	replica, err := cluster.Open(ctx, o.Config)
	if err != nil {
		t.Fatalf("rowlocktest: %v", err)
	}
	t.Cleanup(replica.Close)
	return &rest.Config{Host: serve(t, replica.Handler()), QPS: -1}
}

// load loads the snapshot, if there is one, into the database.
func load(ctx context.Context, o options) (err error) {
	if o.snapshot == nil {
		return nil
	}
	file, err := o.snapshot()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return cluster.Load(ctx, o.DatabaseURL, file, loader.ClockAsSaved)
}

// serve serves HTTP on a free port of the loopback interface until t ends, and returns the URL.
func serve(t testing.TB, handler http.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("rowlocktest: %v", err)
	}
	requests, end := context.WithCancel(context.Background())
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	t.Cleanup(func() {
		end() // watches do not end by themselves
		drain, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		if err := srv.Shutdown(drain); err != nil {
			t.Errorf("rowlocktest: requests were cut off: %v", err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("rowlocktest: %v", err)
		}
	})
	return "http://" + listener.Addr().String()
}
