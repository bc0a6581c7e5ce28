package replica_test

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/replica"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestPresences: a process is present while its connection lives, and the sessions of absent
// processes are abandoned.
func TestPresences(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{Replica: 7})
	one, other := newListener(t, f), newListener(t, f)
	present := func() []int32 {
		p, err := one.Presences(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(p)
		return p
	}
	want := []int32{one.Replica(), other.Replica()}
	slices.Sort(want)
	if got := present(); !slices.Equal(got, want) {
		t.Errorf("%v are there, want %v", got, want)
	}
	v := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	visit := func(left store.Left) (known []int) {
		if err := f.Visit(t.Context(), names.Kubelet, v.UID, func(v store.Visited) (store.Left, error) {
			known = v.Sessions
			return left, nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(known)
		return known
	}
	sessions := replica.NewSessions(f.Pool)
	visit(store.Left{Begun: []int{3, 4, 5}})
	if known := visit(store.Left{Over: []int{4}}); !slices.Equal(known, []int{3, 4, 5}) {
		t.Errorf("the sessions are %v", known)
	}
	for _, test := range []struct {
		present []int32
		want    int
	}{{[]int32{7}, 0}, {[]int32{8}, 2}, {nil, 2}, {[]int32{}, 2}} {
		abandoned, err := sessions.Abandoned(t.Context(), test.present)
		if err != nil || len(abandoned[v.UID]) != test.want {
			t.Errorf("with %v there: %v, %v", test.present, abandoned, err)
		}
	}
	if err := sessions.Forget(t.Context(), v.UID, 3); err != nil {
		t.Fatal(err)
	}
	if known := visit(store.Left{}); !slices.Equal(known, []int{5}) {
		t.Errorf("then they are %v", known)
	}
	if _, err := f.Pool.Exec(t.Context(), "INSERT INTO sessions VALUES (gen_random_uuid(), 1, 7)"); err != nil {
		t.Fatal(err)
	}
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.Number("SELECT count(*) FROM sessions"); n != 1 {
		t.Errorf("%d sessions are noted, want that of the object which is there", n)
	}
}
