package store_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// arriving signals when a caller is about to wait for it.
type arriving struct {
	context.Context
	arrived chan struct{}
}

func (a arriving) Done() <-chan struct{} {
	a.arrived <- struct{}{}
	return a.Context.Done()
}

// gather makes the writes wait for one commit: the first is alone on its way, held up by the
// counter until all others have arrived, in order. It returns their errors in order.
func (f fixture) gather(changes []store.Change) []error {
	f.T.Helper()
	tx, err := f.Pool.Begin(f.T.Context())
	if err != nil {
		f.T.Fatal(err)
	}
	if _, err := tx.Exec(f.T.Context(), "SELECT FROM revision FOR UPDATE"); err != nil {
		f.T.Fatal(err)
	}
	errs := make([]error, len(changes))
	done := make(chan struct{})
	for i, c := range changes {
		ctx := arriving{f.T.Context(), make(chan struct{}, 1)}
		go func() {
			_, errs[i] = f.Write(ctx, c)
			done <- struct{}{}
		}()
		<-ctx.arrived
		if i == 0 {
			storetest.Eventually(f.T, "the first write waits for the counter", func() bool {
				return f.Number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1
			})
		}
	}
	if err := tx.Rollback(f.T.Context()); err != nil {
		f.T.Fatal(err)
	}
	for range changes {
		<-done
	}
	return errs
}

// TestS9_ManyWritesOneCommit: writes that wait during a commit are committed together.
func TestS9_ManyWritesOneCommit(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 1})
	changes := make([]store.Change, 101)
	for i := range changes {
		changes[i] = storetest.CreateConfigMap(fmt.Sprint("cm-", i))
	}
	for i, err := range f.gather(changes) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if n := f.Number("SELECT count(DISTINCT xmin::text) FROM log WHERE resource = 'configmaps'"); n > 3 {
		t.Errorf("101 writes took %d commits", n)
	}
}

// TestS9_EachIsJudgedAlone: writes that fail, for whatever reason, do not affect those beside them.
func TestS9_EachIsJudgedAlone(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 1})
	taken := f.MustWrite(storetest.CreateConfigMap("taken"))
	moved := f.MustWrite(storetest.CreateConfigMap("moved"))
	f.MustWrite(storetest.Update(moved, "1"))
	gone := f.MustWrite(storetest.CreateConfigMap("gone"))
	f.MustWrite(storetest.Remove(gone))
	nowhere := storetest.ConfigMap("a")
	nowhere.Namespace = "nowhere"
	poison := storetest.CreateConfigMap("poison")
	poison.New.SetUID(taken.UID) // no client can do this: the server refuses the whole transaction
	noUUID := storetest.CreateConfigMap("no-uuid")
	noUUID.New.SetUID("7")

	tests := []struct {
		name   string
		change store.Change
		want   func(error) bool
	}{
		{"the first", storetest.CreateConfigMap("first"), isNil},
		{"a name that is taken", storetest.CreateConfigMap("taken"), is(store.ErrExists)},
		{"a good one", storetest.CreateConfigMap("good"), isNil},
		{"an old version", storetest.Update(moved, "2"), func(err error) bool { return errors.As(err, new(*store.ConflictError)) }},
		{"one that is gone", storetest.Update(gone, "1"), is(store.ErrGone)},
		{"no namespace", storetest.Create("configmaps", nowhere), is(store.ErrNamespaceNotFound)},
		{"a uid that is taken", poison, func(err error) bool { return err != nil }},
		{"an invalid uid", noUUID, func(err error) bool { return err != nil }},
		{"another good one", storetest.Update(taken, "1"), isNil},
	}
	changes := make([]store.Change, len(tests))
	for i, test := range tests {
		changes[i] = test.change
	}
	for i, err := range f.gather(changes) {
		if !tests[i].want(err) {
			t.Errorf("%s: got %v", tests[i].name, err)
		}
	}
}

func isNil(err error) bool { return err == nil }

func is(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }

// TestS9_ANamespaceThatEndsBeforeIt: a creation that is committed together with its namespace's
// termination comes before it or fails.
func TestS9_ANamespaceThatEndsBeforeIt(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 1})
	now := metav1.Now()
	for i := range 10 {
		name := fmt.Sprint("ns-", i)
		ns := f.MustWrite(storetest.Create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
		ending := ns.Object().DeepCopyObject().(*corev1.Namespace)
		ending.DeletionTimestamp = &now
		cm := storetest.ConfigMap("cm")
		cm.Namespace = name
		f.gather([]store.Change{
			storetest.CreateConfigMap(fmt.Sprint("first-", i)),
			{Verb: object.Updated, Type: ns.Type, Old: ns, New: ending},
			storetest.Create("configmaps", cm),
		})
	}
	if n := f.Number(`SELECT count(*) FROM log c JOIN log n ON n.resource = 'namespaces' AND n.verb = 'u' AND n.name = c.namespace
		WHERE c.resource = 'configmaps' AND c.revision > n.revision`); n != 0 {
		t.Errorf("%d objects were made in a namespace that was terminating", n)
	}
}

// lost writes a change whose connection is lost before the server has received it or, if it
// reaches, after the commit.
func (f fixture) lost(reaches bool, c store.Change) error {
	f.T.Helper()
	lossy, p := newTapped(f.T, f.URL())
	p.set(func(conn net.Conn, message []byte) (int, error) {
		if !reaches {
			return len(message), conn.Close()
		}
		if _, err := conn.Write(message); err != nil {
			return 0, err
		}
		err := conn.Close() // the server reads what was sent before
		storetest.Eventually(f.T, "the write is committed", func() bool {
			return f.Number("SELECT count(*) FROM log WHERE uid = $1 AND verb = $2", uidOf(c), c.Verb.Letter()) == 1
		})
		return len(message), err
	})
	_, err := lossy.Write(f.T.Context(), c)
	return err
}

// TestS11_AnUnknownOutcomeIsLookedUp: a connection is lost while a write is under way. If the
// commit took place, the client learns so; otherwise it gets ErrUnknownOutcome, never a failure
// that did not happen.
func TestS11_AnUnknownOutcomeIsLookedUp(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	by := func(c store.Change) store.Change {
		c.Writer = object.Writer{UserAgent: "test", Request: string(storetest.NewUID())}.Text()
		return c
	}
	created := f.MustWrite(storetest.CreateConfigMap("cm"))
	gone := f.MustWrite(storetest.CreateConfigMap("gone"))
	for _, test := range []struct {
		name    string
		reaches bool
		change  store.Change
		want    error
	}{
		{"a creation, behind the commit", true, storetest.CreateConfigMap("behind"), nil},
		{"a creation that does not arrive", false, storetest.CreateConfigMap("before"), store.ErrUnknownOutcome},
		{"an update that does not arrive", false, by(storetest.Update(created, "1")), store.ErrUnknownOutcome},
		{"an update, behind the commit", true, by(storetest.Update(created, "1")), nil},
		{"the same update by another request", false, by(storetest.Update(created, "1")), store.ErrUnknownOutcome},
		{"the same update by whoever does not say", false, storetest.Update(created, "1"), store.ErrUnknownOutcome},
		{"a removal, behind the commit", true, by(storetest.Remove(gone)), nil},
		{"the same removal by another request", false, by(storetest.Remove(gone)), store.ErrUnknownOutcome},
	} {
		if err := f.lost(test.reaches, test.change); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
}

func uidOf(c store.Change) string {
	if c.Old != nil {
		return string(c.Old.UID)
	}
	return string(c.New.GetUID())
}

// TestS11_AnEndedSessionIsNoFailure: the server ends the session of a waiting write, as it does
// when it shuts down.
func TestS11_AnEndedSessionIsNoFailure(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	tx, err := f.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background()) //nolint:errcheck // nothing was written
	if _, err := tx.Exec(t.Context(), "SELECT FROM revision FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := f.Write(t.Context(), storetest.CreateConfigMap("a"))
		done <- err
	}()
	storetest.Eventually(t, "the waiting session is ended", func() bool {
		return f.Number(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	})
	if err := <-done; !errors.Is(err, store.ErrUnknownOutcome) {
		t.Errorf("got %v, want %v", err, store.ErrUnknownOutcome)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.MustWrite(storetest.CreateConfigMap("a"))
}
