package tenancy_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/pg/tenancy"
	"github.com/rowlock/rowlock/migrations"
)

// TestJoin_OneServerForAll: several members together start one server, whatever an earlier one has
// left, and it stops when they have gone.
func TestJoin_OneServerForAll(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	if err := os.WriteFile(filepath.Join(dir, "url"), []byte("postgres:///postgres?host=/nowhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 8)
	start := func() (<-chan error, error) {
		ended := make(chan error, 1)
		go func() {
			err := tenancy.Serve(ctx, dir, tenancy.Options{BinDir: os.Getenv("PG_BIN"), Idle: time.Second, Log: slog.New(slog.DiscardHandler)})
			ended <- err
			served <- err
		}()
		return ended, nil
	}
	members, failed := make(chan *tenancy.Member, 3), make(chan error, 3)
	for range 3 {
		go func() {
			m, err := tenancy.Join(ctx, dir, start)
			members <- m
			failed <- err
		}()
	}
	var all []*tenancy.Member
	for range 3 {
		m, err := <-members, <-failed
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	if all[0].URL() != all[1].URL() || all[1].URL() != all[2].URL() {
		t.Errorf("they have different servers: %s, %s, %s", all[0].URL(), all[1].URL(), all[2].URL())
	}
	conn, err := pgx.Connect(ctx, all[0].URL())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	// Those that found another process running it have ended at once; the last to end is the one
	// that ran the server.
	for {
		if err := <-served; err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "url")); errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err := conn.Ping(ctx); err == nil {
		t.Error("the server runs, and nobody uses it")
	}
	_ = conn.Close(ctx) // the server is gone
}

// TestServe_DirectoryIsRemoved: a server whose directory is removed stops, because no process can
// find it any more.
func TestServe_DirectoryIsRemoved(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shared")
	ended := make(chan error, 1)
	start := func() (<-chan error, error) {
		go func() {
			ended <- tenancy.Serve(t.Context(), dir, tenancy.Options{BinDir: os.Getenv("PG_BIN"), Idle: time.Hour, Log: slog.New(slog.DiscardHandler)})
		}()
		return nil, nil
	}
	m, err := tenancy.Join(t.Context(), dir, start)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.Close(), os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestJoin_SaysWhyThereIsNoServer(t *testing.T) {
	t.Parallel()
	broken := errors.New("no PostgreSQL is installed")
	ended := make(chan error, 1)
	ended <- broken
	if _, err := tenancy.Join(t.Context(), t.TempDir(), func() (<-chan error, error) { return ended, nil }); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := tenancy.Join(ctx, t.TempDir(), func() (<-chan error, error) { cancel(); return nil, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := tenancy.Join(t.Context(), t.TempDir(), func() (<-chan error, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// TestSweep: a database stays while its process lives, and is swept when that has been killed.
func TestSweep(t *testing.T) {
	t.Parallel()
	url, ctx := serverURL(t), t.Context()
	kept, err := tenancy.NewDatabase(ctx, url, tenancy.Recipe{Migrations: migrations.FS})
	if err != nil {
		t.Fatal(err)
	}
	left, err := tenancy.NewDatabase(ctx, url, tenancy.Recipe{Migrations: migrations.FS})
	if err != nil {
		t.Fatal(err)
	}
	if err := left.Abandon(ctx); err != nil {
		t.Fatal(err)
	}
	var there []string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if err := tenancy.Sweep(ctx, url); err != nil {
			t.Fatal(err)
		}
		// The server notices a moment later that a session has ended, and keeps its lock until
		// then.
		if there = databases(t, url); !slices.Contains(there, left.Name()) || time.Now().After(deadline) {
			break
		}
	}
	if !slices.Contains(there, kept.Name()) || slices.Contains(there, left.Name()) {
		t.Errorf("there are %v; want %s, and not %s", there, kept.Name(), left.Name())
	}
	conn, err := pgx.Connect(ctx, kept.URL())
	if err != nil {
		t.Fatal(err)
	}
	var migrated bool
	if err := conn.QueryRow(ctx, "SELECT to_regclass('wakeups') IS NOT NULL").Scan(&migrated); err != nil || !migrated {
		t.Errorf("it is migrated: %v, %v", migrated, err)
	}
	if err := kept.Close(ctx); err != nil {
		t.Error(err)
	}
	_ = conn.Close(ctx) // its database is gone
	if slices.Contains(databases(t, url), kept.Name()) {
		t.Errorf("%s is closed, and still there", kept.Name())
	}
}

// TestPrepare: the next database is the spare one, which is filled, which only one of several callers
// gets, and which Sweep leaves alone.
func TestPrepare(t *testing.T) {
	t.Parallel()
	url, ctx := serverURL(t), t.Context()
	fill := func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, "INSERT INTO prepared VALUES ('spare')")
		return errors.Join(err, conn.Close(ctx))
	}
	// Another test's databases come from other migrations.
	recipe := tenancy.Recipe{
		Migrations: fstest.MapFS{"00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE prepared (name text);\n")}},
		Fill:       fill, Version: "1",
	}
	other := recipe
	other.Version = "2"
	prepared := make(chan error, 2)
	for range 2 {
		go func() { prepared <- tenancy.Prepare(ctx, url, recipe) }()
	}
	if err := errors.Join(<-prepared, <-prepared, tenancy.Prepare(ctx, url, recipe), tenancy.Sweep(ctx, url)); err != nil {
		t.Fatal(err)
	}
	name, err := recipe.SpareName()
	if err != nil {
		t.Fatal(err)
	}
	spare := identity(t, url, name)
	if spare == 0 {
		t.Fatal("there is no spare database")
	}
	type made struct {
		database *tenancy.Database
		err      error
	}
	all := make(chan made, 3)
	for _, r := range []tenancy.Recipe{recipe, recipe, other} {
		go func() {
			d, err := tenancy.NewDatabase(ctx, url, r)
			all <- made{d, err}
		}()
	}
	var spares int
	for range cap(all) {
		m := <-all
		if m.err != nil {
			t.Fatal(m.err)
		}
		isSpare := identity(t, url, m.database.Name()) == spare
		if isSpare {
			spares++
		}
		conn, err := pgx.Connect(ctx, m.database.URL())
		if err != nil {
			t.Fatal(err)
		}
		var filled bool
		if err := conn.QueryRow(ctx, "SELECT EXISTS (TABLE prepared)").Scan(&filled); err != nil || filled != isSpare {
			t.Errorf("it is filled: %v, %v; want %v", filled, err, isSpare)
		}
		if err := errors.Join(conn.Close(ctx), m.database.Close(ctx)); err != nil {
			t.Error(err)
		}
	}
	if left := identity(t, url, name); spares != 1 || left != 0 {
		t.Errorf("%d callers got the spare database, and %d is left", spares, left)
	}
}

// TestPrepare_CannotFill: a database that cannot be filled does not become the spare one, and Sweep
// drops it.
func TestPrepare_CannotFill(t *testing.T) {
	t.Parallel()
	server, ctx, broken := serverURL(t), t.Context(), errors.New("broken")
	var url string
	recipe := tenancy.Recipe{
		Migrations: fstest.MapFS{"00001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE broken (name text);\n")}},
		Fill:       func(_ context.Context, filled string) error { url = filled; return broken },
	}
	if err := tenancy.Prepare(ctx, server, recipe); !errors.Is(err, broken) {
		t.Fatalf("the error is %v", err)
	}
	name, err := recipe.SpareName()
	if err != nil {
		t.Fatal(err)
	}
	if identity(t, server, name) != 0 {
		t.Error("it is the spare one")
	}
	made, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); identity(t, server, made.Database) != 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it stays")
		}
		if err := tenancy.Sweep(ctx, server); err != nil {
			t.Fatal(err)
		}
	}
}

// identity returns the object identifier of a database, which it keeps when it is renamed, and 0 if
// there is none of this name.
func identity(t *testing.T, url, name string) (oid uint32) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // it was read
	err = conn.QueryRow(t.Context(), "SELECT coalesce((SELECT oid FROM pg_database WHERE datname = $1), 0)", name).Scan(&oid)
	if err != nil {
		t.Fatal(err)
	}
	return oid
}

// serverURL returns how to connect to the database that all tests of this package share, because
// PostgreSQL's advisory locks belong to one database.
func serverURL(t *testing.T) string {
	t.Helper()
	url, err := pg.WithDatabase(pgtest.NewURL(t), "postgres")
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// databases are those on the server.
func databases(t *testing.T, url string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // it was read
	rows, err := conn.Query(t.Context(), "SELECT datname FROM pg_database")
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, "rowlock_envtest_") })
}
