package store_test

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

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
				if _, err := lossy.visit(string(v.UID), memory, v.At); err != nil {
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
					_, err = f.visit(string(v.UID), "others", v.At)
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
				return store.Left{Memory: []byte("after"), Wake: v.At}, nil
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
