package export_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/snapshot"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/export"
	"github.com/rowlock/rowlock/internal/store/loader"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestSnapshot_AnswersThatWait: a snapshot holds answers that their callers have not collected, so
// that those calls are not made again. Calls without an answer, and calls that a server has taken
// but not answered, are made again.
func TestSnapshot_AnswersThatWait(t *testing.T) {
	t.Parallel()
	source := storetest.New(t, store.Config{})
	v := source.MustWrite(storetest.CreateReplicaSet("caller", "web"))
	const callee = "00000000-0000-4000-8000-00000000000a"
	for number, answer := range [][]byte{nil, {0}, {}, []byte("text")} {
		source.MustExec("INSERT INTO calls (caller, number, callee, at, due, query, answer) VALUES ($1, $2, $3, now(), now() + interval '1 ms', 'asked', $4)",
			v.UID, number, callee, answer)
	}
	source.MustExec("INSERT INTO calls (caller, number, callee, at, query, answer) VALUES ($1, 9, $1, now(), 'asked', 'of a Pod that is gone')", callee)
	all := "SELECT string_agg(format('%s %s %s %s %s', number, at, due, callee, answer), ', ' ORDER BY number) FROM calls WHERE number IN (2, 3) OR $1 = ''"
	calls := func(f storetest.Fixture, which string) (list string) {
		t.Helper()
		if err := f.Pool.QueryRow(t.Context(), all, which).Scan(&list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	want := calls(source, "answered")
	for _, fresh := range []bool{false, true} {
		to := storetest.New(t, store.Config{})
		l, err := loader.New(t.Context(), to.Pool, builtin.Catalogue(), storetest.Routes, loader.Options{Fresh: fresh, Replace: true})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if _, err := export.New(source.Store, source.Pool).State(t.Context(), 0, "v1", func() (snapshot.Sink, error) { return l, nil }); err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(); err != nil {
			t.Fatal(err)
		}
		if got := calls(to, ""); got != want || want == "" {
			t.Errorf("the copy has the calls %s, want %s", got, want)
		}
	}
}
