package pg_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// with returns the older migrations with functions: name, arguments and results, and body of each.
func with(functions ...[3]string) fstest.MapFS {
	files := fstest.MapFS{"00001_a.sql": first}
	for _, f := range functions {
		files["functions/"+f[0]+".sql"] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"-- What it does.\nCREATE OR REPLACE FUNCTION %s%s LANGUAGE sql AS $$%s$$;\n", f[0], f[1], f[2])}
	}
	return files
}

// answer returns the result of a statement, as text.
func answer(t *testing.T, pool *pgxpool.Pool, sql string) (text string) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), sql).Scan(&text); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return text
}

const sqlFunctions = `SELECT coalesce(string_agg(oid::regprocedure::text, ' ' ORDER BY oid::regprocedure::text), '')
	FROM pg_proc WHERE pronamespace = 'public'::regnamespace`

// TestMigrate_Functions: whatever functions the database has, afterwards it has those of the files.
func TestMigrate_Functions(t *testing.T) {
	t.Parallel()
	one := [3]string{"f", "() RETURNS integer", "SELECT 1"}
	for _, test := range []struct {
		name     string
		old      fstest.MapFS
		byHand   string // what is then done to the database
		new      fstest.MapFS
		want     string // the functions
		asking   string
		answer   string
		replaced bool // in place: concurrent callers find it
	}{
		{name: "none before", old: with(), new: with(one), want: "f()", asking: "SELECT f()::text", answer: "1"},
		{name: "unchanged", old: with(one), new: with(one), want: "f()", asking: "SELECT f()::text", answer: "1", replaced: true},
		{name: "another body", old: with(one), new: with([3]string{"f", "() RETURNS integer", "SELECT 2"}),
			want: "f()", asking: "SELECT f()::text", answer: "2", replaced: true},
		{name: "other settings", old: with(one), new: with([3]string{"f", "() RETURNS integer STABLE", "SELECT 1"}),
			want: "f()", asking: "SELECT provolatile::text FROM pg_proc WHERE proname = 'f'", answer: "s"},
		{name: "another result", old: with(one), new: with([3]string{"f", "() RETURNS text", "SELECT 'two'"}),
			want: "f()", asking: "SELECT f()", answer: "two"},
		{name: "other arguments", old: with(one), new: with([3]string{"f", "(_n integer) RETURNS integer", "SELECT _n"}),
			want: "f(integer)", asking: "SELECT f(3)::text", answer: "3"},
		{name: "gone", old: with(one, [3]string{"g", "() RETURNS integer", "SELECT 2"}), new: with(one), want: "f()", asking: "SELECT f()::text", answer: "1", replaced: true},
		{name: "changed by hand", old: with(one), byHand: "CREATE OR REPLACE FUNCTION f() RETURNS integer LANGUAGE sql AS 'SELECT 9'",
			new: with(one), want: "f()", asking: "SELECT f()::text", answer: "1", replaced: true},
		{name: "dropped by hand", old: with(one), byHand: "DROP FUNCTION f", new: with(one), want: "f()", asking: "SELECT f()::text", answer: "1"},
		{name: "somebody else's", old: with(one), byHand: "CREATE FUNCTION theirs() RETURNS integer LANGUAGE sql AS 'SELECT 9'",
			new: with(one), want: "f() theirs()", asking: "SELECT theirs()::text", answer: "9", replaced: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.NewEmpty(t)
			if err := pg.Migrate(t.Context(), pool, test.old); err != nil {
				t.Fatal(err)
			}
			if test.byHand != "" {
				if _, err := pool.Exec(t.Context(), test.byHand); err != nil {
					t.Fatal(err)
				}
			}
			const oid = "SELECT coalesce(min(oid::text), '') FROM pg_proc WHERE proname = 'f'"
			before := answer(t, pool, oid)
			if err := pg.Migrate(t.Context(), pool, test.new); err != nil {
				t.Fatal(err)
			}
			if err := pg.CheckMigrated(t.Context(), pool, test.new); err != nil {
				t.Error(err)
			}
			if got := answer(t, pool, sqlFunctions); got != test.want {
				t.Errorf("the functions are %s, want %s", got, test.want)
			}
			if got := answer(t, pool, test.asking); got != test.answer {
				t.Errorf("%s answers %s, want %s", test.asking, got, test.answer)
			}
			if same := before == answer(t, pool, oid); same != test.replaced {
				t.Errorf("the function was replaced in place: %v, want %v", same, test.replaced)
			}
		})
	}
}

// TestMigrate_BrokenFunctions: they are refused, and leave the database unchanged.
func TestMigrate_BrokenFunctions(t *testing.T) {
	t.Parallel()
	one := [3]string{"f", "() RETURNS integer", "SELECT 1"}
	for _, test := range []struct {
		name, byHand, want string
		files              fstest.MapFS
	}{
		{name: "does not compile", files: with([3]string{"e", "() RETURNS integer", "SELECT 1"}, [3]string{"f", "() RETURNS integer", "SELEKT 2"}),
			want: "create the function f"},
		{name: "another name", files: fstest.MapFS{"00001_a.sql": first, "functions/f.sql": with([3]string{"g", "() RETURNS integer", ""})["functions/g.sql"]},
			want: "functions/f.sql is not one statement"},
		{name: "not replaceable", files: fstest.MapFS{"00001_a.sql": first,
			"functions/f.sql": {Data: []byte("CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS $$SELECT 1$$;\n")}}, want: "functions/f.sql is not one statement"},
		{name: "a namesake of somebody else's", byHand: "CREATE FUNCTION f(text) RETURNS text LANGUAGE sql AS 'SELECT $1'",
			files: with([3]string{"f", "() RETURNS integer", "SELECT 2"}), want: "is not unique"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.NewEmpty(t)
			if err := pg.Migrate(t.Context(), pool, with(one)); err != nil {
				t.Fatal(err)
			}
			if test.byHand != "" {
				if _, err := pool.Exec(t.Context(), test.byHand); err != nil {
					t.Fatal(err)
				}
			}
			before := answer(t, pool, sqlFunctions)
			if err := pg.Migrate(t.Context(), pool, test.files); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if got := answer(t, pool, sqlFunctions); got != before {
				t.Errorf("the functions are %s, want %s", got, before)
			}
			if got := answer(t, pool, "SELECT f()::text"); got != "1" {
				t.Errorf("f() answers %s", got)
			}
		})
	}
}

// TestMigrate_FunctionsOfSeveralProcesses: of processes that start at once with different
// functions, the newest version's functions stay, and each process of one version has a complete
// set.
func TestMigrate_FunctionsOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	pool := pgtest.NewEmpty(t)
	old, next := with([3]string{"f", "() RETURNS integer", "SELECT 1"}), with([3]string{"f", "() RETURNS text", "SELECT 'two'"})
	next["00002_b.sql"] = second
	var all errgroup.Group
	for range 3 {
		all.Go(func() error { return pg.Migrate(t.Context(), pool, old) })
		all.Go(func() error { return pg.Migrate(t.Context(), pool, next) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := pg.CheckMigrated(t.Context(), pool, next); err != nil {
		t.Error(err)
	}
	if err := pg.CheckMigrated(t.Context(), pool, old); !errors.Is(err, pg.ErrNewerSchema) {
		t.Errorf("the older ones get %v, want %v", err, pg.ErrNewerSchema)
	}
	if got := answer(t, pool, "SELECT f()"); got != "two" {
		t.Errorf("f() answers %s, want two", got)
	}
}
