// Package pgtest gives every test a migrated database of its own on one PostgreSQL server.
//
// The server is named by ROWLOCK_TEST_DATABASE_URL, which `make test` sets for all test binaries,
// or else by DATABASE_URL; otherwise it is an ephemeral one for this test binary, which stops when
// the binary ends. A database is cloned from a template, made once for each state of the
// migrations; it is dropped if its test passes and kept if the test fails.
package pgtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/server"
	"github.com/rowlock/rowlock/migrations"
)

// URLVariable is the environment variable that names a server to use. Its user must be allowed to
// create databases.
const URLVariable = "ROWLOCK_TEST_DATABASE_URL"

// New returns a pool on a fresh, migrated database. When t ends, the pool is closed and the
// database dropped; a connection that is still in use then fails the test.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, NewURL(t))
}

// NewEmpty is New for a database without Rowlock's schema.
func NewEmpty(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, clone(t, "template0"))
}

// NewURL returns the URL of a fresh, migrated database for tests that open it themselves, or that
// start processes.
func NewURL(t testing.TB) string {
	t.Helper()
	name, err := template(t.Context())
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return clone(t, name)
}

// NewFromDump returns the URL of a database made from the output of pg_dump, as plain SQL with
// INSERT statements. It is not migrated.
func NewFromDump(t testing.TB, dump string) string {
	t.Helper()
	url := clone(t, "template0")
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	_, err = conn.Exec(t.Context(), dump)
	if err := errors.Join(err, conn.Close(t.Context())); err != nil {
		t.Fatalf("pgtest: load a dump: %v", err)
	}
	return url
}

// ServerGoroutines are the goroutines that hold this binary's own server, for goleak.VerifyTestMain
// to ignore.
func ServerGoroutines() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreAnyFunction("github.com/rowlock/rowlock/internal/pg/server.(*process).hold"),
		goleak.IgnoreAnyFunction("github.com/rowlock/rowlock/internal/pg/server.(*process).unwatch"),
	}
}

// open opens a pool and closes it when the test ends.
func open(t testing.TB, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Open(t.Context(), pg.Config{URL: url, ApplicationName: t.Name()})
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		closed := make(chan struct{})
		go func() { pool.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(5 * time.Second):
			t.Errorf("pgtest: %d connections were never given back to the pool", pool.Stat().AcquiredConns())
		}
	})
	return pool
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// clone makes a database for t and drops it when the test ends.
func clone(t testing.TB, from string) string {
	t.Helper()
	base, err := serverURL()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	name := unfit.ReplaceAllString(strings.ToLower(t.Name()), "_")
	name = "t_" + name[:min(len(name), 50)] + "_" + strings.ToLower(rand.Text()[:8])
	if err := administrator.use(t.Context(), func(session *pgx.Conn) error {
		return pg.CreateDatabaseIn(t.Context(), session, name, from, pg.AsFiles)
	}); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	url, err := pg.WithDatabase(base, name)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("pgtest: the database is kept for as long as its server lives: %s", url)
			return
		}
		ctx := context.Background() // the test's own has ended by now
		if err := administrator.use(ctx, func(session *pgx.Conn) error { return pg.DropDatabaseIn(ctx, session, name) }); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return url
}

// administrator creates and drops the databases of all tests of this binary. A session for each
// would take PostgreSQL as long as the work in it.
var administrator session

// session is one connection to the server, which its users take in turn.
type session struct {
	mu   sync.Mutex
	conn *pgx.Conn // nil or closed: the next user connects
}

// use runs f, with nothing else in the session.
func (s *session) use(ctx context.Context, f func(*pgx.Conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.conn.IsClosed() {
		base, err := serverURL()
		if err != nil {
			return err
		}
		if s.conn, err = pgx.Connect(ctx, base); err != nil {
			return err
		}
	}
	return f(s.conn)
}

// serverURL returns the server's URL, and starts the server if necessary.
var serverURL = sync.OnceValues(func() (string, error) {
	if url := cmp.Or(os.Getenv(URLVariable), os.Getenv("DATABASE_URL")); url != "" {
		return url, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// Nothing stops it: it dies with this process, and its files with it.
	s, err := server.Start(ctx, server.Options{Ephemeral: true, BinDir: os.Getenv("PG_BIN"), MaxConnections: 2000})
	if err != nil {
		return "", fmt.Errorf("tests need PostgreSQL 15 or newer, which `make deps` installs: %w", err)
	}
	return s.URL(), nil
})

// template makes the migrated database that clones are copied from, once for all processes that
// share the server.
var template = onceWithoutError(func(ctx context.Context) (string, error) {
	base, err := serverURL()
	if err != nil {
		return "", err
	}
	return pg.Template(ctx, base, migrations.FS)
})

// onceWithoutError remembers the first success. A failure may be the caller's deadline, and is not
// remembered.
func onceWithoutError(f func(context.Context) (string, error)) func(context.Context) (string, error) {
	var mu sync.Mutex
	var done string
	return func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if done != "" {
			return done, nil
		}
		var err error
		done, err = f(ctx)
		return done, err
	}
}
