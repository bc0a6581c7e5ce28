package store_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// visit stores a memory beside an object, and asks for a sync.
func (f fixture) visit(uid string, memory string, wake time.Time) (found string, err error) {
	f.T.Helper()
	return found, f.Visit(f.T.Context(), names.Kubelet, types.UID(uid), func(v store.Visited) (store.Left, error) {
		found = string(v.Memory)
		if memory == "" {
			return store.Left{Wake: wake}, nil
		}
		return store.Left{Memory: []byte(memory), Wake: wake}, nil
	})
}

// TestVisit: a visit stores a memory, or changes nothing, and wakes a controller once until it has
// synced.
func TestVisit(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	v := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	uid := string(v.UID)
	soon := v.At.Time().Add(time.Hour)
	var found []string
	for _, step := range []struct {
		memory string
		wake   time.Time
	}{{"one", time.Time{}}, {"", soon}, {"two", soon}, {"three", soon.Add(time.Minute)}, {"four", v.At.Time()}} {
		seen, err := f.visit(uid, step.memory, step.wake)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, seen)
	}
	if got, want := f.remembered(v), "four"; got != want || found[1] != "one" || found[2] != "one" || found[4] != "three" {
		t.Errorf("remembered %q, found %q", got, found)
	}
	if n := f.Number("SELECT count(*) FROM wakeups WHERE uid = $1 AND controller = $2", uid, names.Kubelet); n != 2 {
		t.Errorf("%d wakeups, want one for each time that was sooner", n)
	}
	failed := errors.New("no")
	if err := f.Visit(t.Context(), names.Kubelet, v.UID, func(store.Visited) (store.Left, error) {
		return store.Left{Memory: []byte("x")}, failed
	}); !errors.Is(err, failed) || f.remembered(v) != "four" {
		t.Errorf("%v, and %q is remembered", err, f.remembered(v))
	}
	if _, err := f.visit("00000000-0000-4000-8000-000000000000", "x", soon); !errors.Is(err, store.ErrGone) {
		t.Errorf("an object that is not there: %v", err)
	}
}

// TestVisit_WaitsForTheLock: a visit waits, and gives up after the same time as a write.
func TestVisit_WaitsForTheLock(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{BusyTimeout: 50 * time.Millisecond})
	v := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	tx, err := f.Session().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "SELECT FROM objects WHERE uid = $1 FOR NO KEY UPDATE", v.UID); err != nil {
		t.Fatal(err)
	}
	if _, err := f.visit(string(v.UID), "x", time.Time{}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("%v", err)
	}
	if err := tx.Rollback(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
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

// TestVisit_ALostConnection: the connection is lost when a visit begins or ends. The database shows
// whether the visit took place; if not, it may be repeated.
func TestVisit_ALostConnection(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	shut := func(conn net.Conn, message []byte) (int, error) { return len(message), conn.Close() }
	for _, test := range []struct {
		name     string
		begins   bool // the connection is lost when the visit begins
		reaches  bool // the database receives the message
		rewrites bool // another writer changes the memory before the lookup
		want     error
		left     string // the resulting memory
	}{
		{"before it began", true, false, false, store.ErrUnavailable, "before"},
		{"before the commit", false, false, false, store.ErrUnavailable, "before"},
		{"behind the commit", false, true, false, nil, "after"},
		{"behind the commit, and others go on", false, true, true, store.ErrUnknownOutcome, "others"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			lossy, p := newTapped(t, f.URL())
			v := f.MustWrite(storetest.CreateReplicaSet(fmt.Sprintf("web-%t-%t-%t", test.begins, test.reaches, test.rewrites), "web"))
			for _, memory := range []string{"warm", "before"} {
				if _, err := lossy.visit(string(v.UID), memory, v.At.Time()); err != nil {
					t.Fatal(err)
				}
			}
			behind := func(conn net.Conn, message []byte) (int, error) {
				if _, err := conn.Write(message); err != nil {
					return 0, err
				}
				err := conn.Close() // the server reads what was sent before
				storetest.Eventually(t, "the visit is committed", func() bool { return f.remembered(v) == "after" })
				if test.rewrites {
					_, err = f.visit(string(v.UID), "others", v.At.Time())
				}
				return len(message), err
			}
			if test.begins {
				p.set(shut)
			}
			err := lossy.Visit(t.Context(), names.Kubelet, v.UID, func(store.Visited) (store.Left, error) {
				if !test.begins {
					p.set(map[bool]func(net.Conn, []byte) (int, error){true: behind, false: shut}[test.reaches])
				}
				return store.Left{Memory: []byte("after"), Wake: v.At.Time()}, nil
			})
			if !errors.Is(err, test.want) {
				t.Errorf("the visit: %v, want %v", err, test.want)
			}
			if got := f.remembered(v); got != test.left {
				t.Errorf("%q is remembered, want %q", got, test.left)
			}
		})
	}
}
