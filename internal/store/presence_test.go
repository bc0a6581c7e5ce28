package store_test

import (
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestPresences: a process is present while its connection lives, and the sessions of absent
// processes are abandoned.
func TestPresences(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Replica: 7})
	one, other := newListener(t, f), newListener(t, f)
	present := func() []int32 {
		p, err := f.Presences(t.Context())
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
	visit(store.Left{Begun: []int{3, 4, 5}})
	if known := visit(store.Left{Over: []int{4}}); !slices.Equal(known, []int{3, 4, 5}) {
		t.Errorf("the sessions are %v", known)
	}
	for _, test := range []struct {
		present []int32
		want    int
	}{{[]int32{7}, 0}, {[]int32{8}, 2}, {nil, 2}, {[]int32{}, 2}} {
		abandoned, err := f.AbandonedSessions(t.Context(), test.present)
		if err != nil || len(abandoned[v.UID]) != test.want {
			t.Errorf("with %v there: %v, %v", test.present, abandoned, err)
		}
	}
	if err := f.ForgetSessions(t.Context(), v.UID, 3); err != nil {
		t.Fatal(err)
	}
	if known := visit(store.Left{}); !slices.Equal(known, []int{5}) {
		t.Errorf("then they are %v", known)
	}
	if _, err := f.Pool.Exec(t.Context(), "INSERT INTO sessions VALUES (gen_random_uuid(), 1, 7)"); err != nil {
		t.Fatal(err)
	}
	f.removeLeftovers()
	if n := f.Number("SELECT count(*) FROM sessions"); n != 1 {
		t.Errorf("%d sessions are noted, want that of the object which is there", n)
	}
}

// TestS10_SessionsAreToldOf: sessions are announced by name or, if a hint cannot hold them, all at
// once.
func TestS10_SessionsAreToldOf(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	sender, receiver := newListener(t, f), newListener(t, f)
	sender.SendAudible("pod", []int{1, 2})
	storetest.Eventually(t, "two sessions are told of", func() bool {
		for _, h := range receiver.hints() {
			if len(h.Audible) == 1 && h.Audible[0].Pod == "pod" && slices.Equal(h.Audible[0].Sessions, []int{1, 2}) {
				return true
			}
		}
		return false
	})
	for range 2000 {
		sender.SendAudible(types.UID("01890000-0000-7000-8000-000000000000"), []int{1})
	}
	storetest.Eventually(t, "all are", func() bool {
		return slices.ContainsFunc(receiver.hints(), func(h store.Hint) bool { return h.Deafened && len(h.Audible) == 0 })
	})
}

// TestVisit_Tells: a visit announces the sessions that have output to collect, once it is
// committed.
func TestVisit_Tells(t *testing.T) {
	t.Parallel()
	var told []int
	f := newStore(t, store.Config{Audible: func(_ types.UID, sessions []int) { told = append(told, sessions...) }})
	v := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	if err := f.Visit(t.Context(), names.Kubelet, v.UID, func(v store.Visited) (store.Left, error) {
		return store.Left{Memory: []byte("x"), Wake: v.Now.Add(time.Hour), Audible: []int{9}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []int{9}) {
		t.Errorf("told of %v", told)
	}
}
