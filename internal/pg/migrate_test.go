package pg_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/migrations"
)

var (
	first  = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE a ();\n-- +goose Down\nDROP TABLE a;\n")}
	second = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE b ();\n-- +goose Down\nDROP TABLE b;\n")}

	older = fstest.MapFS{"00001_a.sql": first}
	newer = fstest.MapFS{"00001_a.sql": first, "00002_b.sql": second}
)

// relations lists everything that migrations may have made in the database.
func relations(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE 'goose%'
		UNION ALL
		SELECT proname || '()' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		UNION ALL
		SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typname NOT LIKE '%goose%'
		ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestMigrate_UpDownUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		files fs.FS
	}{
		{"two tables", newer},
		{"Rowlock's own", migrations.FS},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.NewEmpty(t)
			if err := pg.Migrate(t.Context(), pool, test.files); err != nil {
				t.Fatal(err)
			}
			up := relations(t, pool)
			if len(up) == 0 {
				t.Error("the migrations made nothing")
			}
			if err := pg.Unmigrate(t.Context(), pool, test.files, 0); err != nil {
				t.Fatal(err)
			}
			if left := relations(t, pool); len(left) != 0 {
				t.Errorf("down leaves %v", left)
			}
			if err := pg.Migrate(t.Context(), pool, test.files); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(up, relations(t, pool)); diff != "" {
				t.Errorf("the second time up differs (-first +second):\n%s", diff)
			}
		})
	}
}

func TestMigrate_SeveralProcessesAtOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error { return pg.Migrate(t.Context(), pool, newer) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := pg.CheckMigrated(t.Context(), pool, newer); err != nil {
		t.Fatal(err)
	}
}

func TestCheckMigrated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		have      fs.FS // what the database was migrated with; nil if never
		need      fs.FS
		wantError error
	}{
		{name: "never migrated", need: older, wantError: pg.ErrNotMigrated},
		{name: "up to date", have: older, need: older},
		{name: "behind", have: older, need: newer, wantError: pg.ErrNotMigrated},
		{name: "ahead", have: newer, need: older, wantError: pg.ErrNewerSchema},
		{name: "without a function", have: older, need: with([3]string{"f", "() RETURNS integer", "SELECT 1"}), wantError: pg.ErrNotMigrated},
		{name: "with a function too many", have: with([3]string{"f", "() RETURNS integer", "SELECT 1"}), need: older, wantError: pg.ErrNotMigrated},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.NewEmpty(t)
			if test.have != nil {
				if err := pg.Migrate(t.Context(), pool, test.have); err != nil {
					t.Fatal(err)
				}
			}
			if err := pg.CheckMigrated(t.Context(), pool, test.need); !errors.Is(err, test.wantError) {
				t.Errorf("got %v, want %v", err, test.wantError)
			}
		})
	}
}

// TestMigrate_FromBeforeTheOldestFile: the existing files cannot do what removed files did.
func TestMigrate_FromBeforeTheOldestFile(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	if err := pg.Migrate(t.Context(), pool, older); err != nil {
		t.Fatal(err)
	}
	squashed := fstest.MapFS{"00002_b.sql": second}
	if err := pg.Migrate(t.Context(), pool, squashed); !errors.Is(err, pg.ErrOlderSchema) {
		t.Errorf("got %v, want %v", err, pg.ErrOlderSchema)
	}
	if diff := cmp.Diff([]string{"_a", "a", "a"}, relations(t, pool)); diff != "" { // the table and its types
		t.Errorf("the database is not as it was (-want +got):\n%s", diff)
	}
}
