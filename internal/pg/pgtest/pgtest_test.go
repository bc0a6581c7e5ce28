package pgtest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/migrations"
)

// ending is a test that the tests here end.
type ending struct {
	testing.TB
	failed   bool
	cleanups []func()
	log      strings.Builder
}

func (e *ending) Context() context.Context          { return context.Background() }
func (e *ending) Name() string                      { return "TestEnding/With Ümlaut and " + strings.Repeat("length", 20) }
func (e *ending) Failed() bool                      { return e.failed }
func (e *ending) Cleanup(f func())                  { e.cleanups = append(e.cleanups, f) }
func (e *ending) Logf(format string, args ...any)   { fmt.Fprintf(&e.log, format, args...) }
func (e *ending) Errorf(format string, args ...any) { e.failed = true; e.Logf(format, args...) }

func (e *ending) end() {
	for i := range e.cleanups {
		e.cleanups[len(e.cleanups)-1-i]()
	}
}

// connects reports whether there is a database at url.
func connects(t *testing.T, url string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return false
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return true
}

func TestNew_GivesEachTestItsOwnMigratedDatabase(t *testing.T) {
	t.Parallel()
	first, second := New(t), New(t)
	if err := pg.CheckMigrated(t.Context(), first, migrations.FS); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "CREATE TABLE mine ()"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Exec(t.Context(), "SELECT FROM mine"); !pg.IsUndefinedTable(err) {
		t.Errorf("the second database shows the first one's table: %v", err)
	}
}

func TestNewURL_DroppedWhenTheTestPasses(t *testing.T) {
	t.Parallel()
	inner := &ending{TB: t}
	url := NewURL(inner)
	if !connects(t, url) {
		t.Fatalf("there is no database at %s", url)
	}
	inner.end()
	if inner.failed || connects(t, url) {
		t.Errorf("the database is left: %s", inner.log.String())
	}
}

func TestNewURL_KeptWhenTheTestFails(t *testing.T) {
	t.Parallel()
	inner := &ending{TB: t}
	url := NewURL(inner)
	inner.failed = true
	inner.end()
	if !connects(t, url) || !strings.Contains(inner.log.String(), url) {
		t.Errorf("the database is gone, or nobody knows where it is: %s", inner.log.String())
	}
}

func TestTemplate_OnceForAllProcesses(t *testing.T) {
	t.Parallel()
	base, err := serverURL()
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE made_" + t.Name() + " ();\n")}}
	want, err := pg.TemplateName(files)
	if err != nil {
		t.Fatal(err)
	}
	// What a killed process leaves.
	if err := administrator.use(t.Context(), func(session *pgx.Conn) error {
		return pg.CreateDatabaseIn(t.Context(), session, want+"_unfinished", "template0", pg.AsFiles)
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pg.DropDatabase(context.Background(), base, want); err != nil {
			t.Error(err)
		}
	})
	var all errgroup.Group
	for range 4 {
		all.Go(func() error {
			got, err := pg.Template(t.Context(), base, files)
			if err == nil && got != want {
				err = fmt.Errorf("the template is %s, want %s", got, want)
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestTemplateName_FollowsNamesAndContents(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, files := range map[string]fstest.MapFS{
		"one":           {"1.sql": {Data: []byte("a")}},
		"other content": {"1.sql": {Data: []byte("b")}},
		"other name":    {"2.sql": {Data: []byte("a")}},
		"one more":      {"1.sql": {Data: []byte("a")}, "2.sql": {}},
	} {
		hash, err := pg.TemplateName(files)
		if err != nil {
			t.Fatal(err)
		}
		if twin, ok := seen[hash]; ok {
			t.Errorf("%s and %s have one hash", name, twin)
		}
		seen[hash] = name
	}
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, base, want string }{
		{"a socket", "postgres://u@/postgres?host=%2Ftmp", "postgres://u@/d?host=%2Ftmp"},
		{"an address", "postgresql://u:p@h:1/x", "postgresql://u:p@h:1/d"},
		{"keywords", "host=h dbname=x", "host=h dbname=x dbname=d"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := pg.WithDatabase(test.base, "d")
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func BenchmarkNewURL(b *testing.B) {
	NewURL(b) // starts the server and makes the template
	for b.Loop() {
		inner := &ending{TB: b}
		NewURL(inner)
		inner.end()
	}
}
