// Package storetest gives tests a store on a database of its own, and changes to write to it.
package storetest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// Routes are those of all controllers.
var Routes = controller.NewRouter()

// Fixture is a running store.
type Fixture struct {
	*store.Store
	T    testing.TB
	Pool *pgxpool.Pool
}

// New makes a store on its own database, with the namespace "default".
func New(t testing.TB, config store.Config) Fixture {
	t.Helper()
	f := NewReplica(t, pgtest.NewURL(t), config)
	f.MustWrite(Create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}))
	return f
}

// NewReplica makes a store on a database that may have others.
func NewReplica(t testing.TB, url string, config store.Config) Fixture {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url, MaxConns: 16})
	if err != nil {
		t.Fatal(err)
	}
	return NewOver(t, pool, config)
}

// NewOver makes a store over a pool, and closes the pool at the end.
func NewOver(t testing.TB, pool *pgxpool.Pool, config store.Config) Fixture {
	t.Helper()
	f := Fixture{T: t, Pool: pool, Store: store.New(pool, builtin.Catalogue(), Routes, config, nil, slog.New(slog.DiscardHandler))}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = f.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done; pool.Close() })
	return f
}

// URL names the fixture's database.
func (f Fixture) URL() string { return f.Pool.Config().ConnString() }

// MustWrite writes a change.
func (f Fixture) MustWrite(c store.Change) *object.Version {
	f.T.Helper()
	v, err := f.Write(f.T.Context(), c)
	if err != nil {
		f.T.Fatalf("write: %v", err)
	}
	return v
}

// MustExec executes a statement.
func (f Fixture) MustExec(sql string, args ...any) {
	f.T.Helper()
	if _, err := f.Pool.Exec(f.T.Context(), sql, args...); err != nil {
		f.T.Fatalf("%s: %v", sql, err)
	}
}

// Number returns the result of a query for one number.
func (f Fixture) Number(sql string, args ...any) (n int64) {
	f.T.Helper()
	if err := f.Pool.QueryRow(f.T.Context(), sql, args...).Scan(&n); err != nil {
		f.T.Fatalf("%s: %v", sql, err)
	}
	return n
}

// Session returns a session with a worker's settings, for the length of the test.
func (f Fixture) Session() *pgx.Conn {
	f.T.Helper()
	conn, err := f.Pool.Acquire(f.T.Context())
	if err != nil {
		f.T.Fatal(err)
	}
	raw := conn.Hijack()
	f.T.Cleanup(func() { _ = raw.Close(context.Background()) })
	return raw
}

// Conn returns a session whose transactions may idle longer than a worker's, as the test may.
func (f Fixture) Conn() *pgx.Conn {
	f.T.Helper()
	conn := f.Session()
	if _, err := conn.Exec(f.T.Context(), "SET idle_in_transaction_session_timeout = '2min'"); err != nil {
		f.T.Fatal(err)
	}
	return conn
}

// Claim takes due work, which stays claimed until the connection's transaction ends.
func (f Fixture) Claim(conn *pgx.Conn, controller string, lock types.UID) wakeup.Claimed {
	f.T.Helper()
	claimed, err := wakeup.Take(f.T.Context(), conn, controller, lock, 100)
	if err != nil {
		f.T.Fatal(err)
	}
	return claimed
}

// Eventually waits until a condition holds.
func Eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so within a minute: %s", what)
		}
	}
}
