package migrations_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/migrations"
)

// lines returns the first column of a statement's result.
func lines(t *testing.T, pool *pgxpool.Pool, sql string) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFunctions_AreWhatTheirFilesSay: the database has the functions of the directory and no
// others, each with the body that its file has between the dollar quotes.
func TestFunctions_AreWhatTheirFilesSay(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	files, err := fs.Glob(migrations.FS, "functions/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "$$")
		if len(parts) != 3 {
			t.Fatalf("%s has its body between no pair of $$", file)
		}
		want[strings.TrimSuffix(strings.TrimPrefix(file, "functions/"), ".sql")] = parts[1]
	}
	rows, err := pgtest.New(t).Query(t.Context(), "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	var name, body string
	if _, err := pgx.ForEachRow(rows, []any{&name, &body}, func() error {
		if _, twice := got[name]; twice {
			t.Errorf("there are two functions %s", name)
		}
		got[name] = body
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the functions of the database are not those of the files (-files +database):\n%s", diff)
	}
}

// TestFunctions_ArePatchedNowhere: each function is complete in its file.
func TestFunctions_ArePatchedNowhere(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(migrations.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, name)
		if strings.Contains(string(text), "pg_get_functiondef") || filepath.Dir(name) == "." && strings.Contains(string(text), "CREATE FUNCTION") ||
			filepath.Dir(name) == "." && strings.Contains(string(text), "CREATE OR REPLACE FUNCTION") {
			t.Errorf("%s makes a function: it belongs into functions/", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// catalogue lists everything in a database except its rows, one text per object.
const catalogue = `
	SELECT format('table %s column %s %s %s null:%s default:%s identity:%s storage:%s collation:%s', c.relname, a.attnum, a.attname,
		format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attstorage, a.attcollation::regcollation)
	FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
	WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'goose%'
	UNION ALL
	SELECT format('table %s options %s toast %s', c.relname, ARRAY(SELECT o FROM unnest(c.reloptions) AS o ORDER BY o), t.reloptions)
	FROM pg_class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
	WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'goose%'
	UNION ALL
	SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'goose%'
	UNION ALL
	SELECT format('table %s constraint %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
	WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'goose%'
	UNION ALL
	SELECT format('sequence %s %s from %s to %s by %s cycle:%s', sequencename, data_type, min_value, max_value, increment_by, cycle) FROM pg_sequences
	WHERE schemaname = 'public' AND sequencename NOT LIKE 'goose%'
	UNION ALL
	SELECT format('function %s(%s) returns %s %s %s %s: %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid),
		provolatile, proconfig, obj_description(oid, 'pg_proc'), prosrc)
	FROM pg_proc WHERE pronamespace = 'public'::regnamespace
	ORDER BY 1`

// TestMigrate_OldDatabases: a database of an earlier version migrates to the current schema and
// keeps its rows. Each file of testdata is a small database of a version, named by the number of
// its newest migration; CONTRIBUTING.md says how to make one.
func TestMigrate_OldDatabases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/version*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no old databases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			dump, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pool, err := pg.Open(t.Context(), pg.Config{URL: pgtest.NewFromDump(t, string(dump))})
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			before := contents(t, pool)
			have, err := pg.SchemaVersion(t.Context(), pool)
			if err != nil {
				t.Fatal(err)
			}
			if err := pg.CheckMigrated(t.Context(), pool, migrations.FS); err != nil && have == newest(t) {
				t.Errorf("a replica of that version would put its own functions back: add a migration with the next number: %v", err)
			}
			if err := pg.Migrate(t.Context(), pool, migrations.FS); err != nil {
				t.Fatal(err)
			}
			if err := pg.CheckMigrated(t.Context(), pool, migrations.FS); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(lines(t, pgtest.New(t), catalogue), lines(t, pool, catalogue)); diff != "" {
				t.Errorf("it is not what a new database is (-new +old):\n%s", diff)
			}
			after := contents(t, pool)
			for table := range before { // a table may be new
				if diff := cmp.Diff(before[table], after[table]); diff != "" {
					t.Errorf("the rows of %s have changed (-before +after):\n%s", table, diff)
				}
			}
		})
	}
}

// newest returns the number of the newest migration.
func newest(t *testing.T) (n int64) {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(slices.Max(files), "%d_", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// contents returns the rows of all tables, ordered, as text.
func contents(t *testing.T, pool *pgxpool.Pool) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range lines(t, pool, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'goose%'") {
		all[table] = lines(t, pool, "SELECT t::text FROM "+pgx.Identifier{table}.Sanitize()+" AS t ORDER BY 1")
	}
	for _, table := range []string{"objects", "log", "wakeups", "memories", "reservations", "node_files", "fault_counts", "quota_usage", "snapshot_pieces"} {
		if len(all[table]) == 0 {
			t.Errorf("the database has no %s, of %v: it shows nothing", table, slices.Sorted(maps.Keys(all)))
		}
	}
	return all
}
