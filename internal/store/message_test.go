package store_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestS4_OneMessage: a client's write is one message to the server. So is a claim, and so is
// applying, acknowledging, remembering and committing its result.
func TestS4_OneMessage(t *testing.T) {
	t.Parallel()
	plain := newStore(t, store.Config{})
	f, p := newTapped(t, plain.URL())
	sent := func(what string, do func()) {
		t.Helper()
		before := p.count()
		do()
		if n := p.count() - before; n != 1 {
			t.Errorf("%s takes %d messages", what, n)
		}
	}
	var v *object.Version
	sent("a creation", func() { v = f.MustWrite(storetest.CreateReplicaSet("a", "web")) })
	sent("an update", func() { v = f.MustWrite(storetest.Touch(v, "1")) })

	conn, err := f.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	turn := func(value string, count func(string, func())) {
		var claimed wakeup.Claimed
		count("a claim", func() { claimed = f.Claim(conn.Conn(), names.ReplicaSet, "") })
		batch := newBatch(names.ReplicaSet)
		for _, c := range claimed.Claims {
			batch.Acknowledge(c.IDs...)
		}
		if _, err := batch.Add(storetest.Touch(v, value), 0, v.UID, claimed.Now); err != nil {
			t.Fatal(err)
		}
		batch.Remember(v.UID, v.Revision, []byte(value))
		count("a commit", func() {
			applied, err := f.Commit(t.Context(), conn.Conn(), batch)
			if err != nil || len(applied.Versions) != 1 {
				t.Fatalf("applied %+v: %v", applied, err)
			}
			v = applied.Versions[0]
		})
	}
	turn("2", func(_ string, do func()) { do() }) // the connection prepares the statements
	turn("3", sent)
}

// TestS4_AStoppedClientHoldsNothing: a client that is stopped after its message is sent still
// commits, and others do not notice.
func TestS4_AStoppedClientHoldsNothing(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	stopped, p := newTapped(t, f.URL())
	goOn := make(chan struct{})
	p.set(func(conn net.Conn, message []byte) (int, error) {
		n, err := conn.Write(message)
		<-goOn
		return n, err
	})
	before := f.Number("SELECT value FROM revision")
	done := make(chan error, 1)
	go func() {
		_, err := stopped.Write(t.Context(), storetest.CreateConfigMap("stopped"))
		done <- err
	}()
	storetest.Eventually(t, "the stopped client's write is committed", func() bool { return f.Number("SELECT value FROM revision") == before+1 })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := f.Pool.Exec(ctx, "SELECT FROM revision FOR UPDATE NOWAIT"); err != nil {
		t.Errorf("the counter is held: %v", err)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
