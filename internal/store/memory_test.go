package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// remembered returns the memory beside an object.
func (f fixture) remembered(v *object.Version) string {
	f.T.Helper()
	memory, err := f.Memory(f.T.Context(), v.UID)
	if err != nil {
		f.T.Fatal(err)
	}
	return string(memory)
}

// remember stores a memory beside an object as of a version, with a change of the object if there
// is one.
func (f fixture) remember(v *object.Version, memory string, change *store.Change) store.Applied {
	f.T.Helper()
	conn := f.Conn()
	f.Claim(conn, names.ReplicaSet, "")
	b := newBatch(names.ReplicaSet)
	if change != nil {
		if _, err := b.Add(*change, 0, v.UID, v.At.Time()); err != nil {
			f.T.Fatal(err)
		}
	}
	b.Remember(v.UID, v.Revision, []byte(memory))
	applied, err := f.Commit(f.T.Context(), conn, b)
	if err != nil {
		f.T.Fatal(err)
	}
	return applied
}

func TestMemory_IsReplacedAndForgotten(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	v, other := f.MustWrite(storetest.CreateReplicaSet("a", "web")), f.MustWrite(storetest.CreateReplicaSet("b", "web"))
	f.remember(other, "other", nil)
	var got []string
	for _, memory := range []string{"", "one", "two", "", "three"} {
		f.remember(v, memory, nil)
		got = append(got, f.remembered(v))
	}
	if diff := cmp.Diff([]string{"", "one", "two", "", "three"}, got); diff != "" || f.remembered(other) != "other" {
		t.Errorf("beside the other is %q; remembered (-want +got):\n%s", f.remembered(other), diff)
	}
}

// TestMemory_ComesWithItsChange: both are committed, or neither is.
func TestMemory_ComesWithItsChange(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	first := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	change := storetest.Touch(first, "1")
	applied := f.remember(first, "one", &change)
	if len(applied.Versions) != 1 || f.remembered(first) != "one" {
		t.Fatalf("applied %+v, remembered %q", applied, f.remembered(first))
	}
	late := storetest.Touch(first, "2")
	if applied := f.remember(first, "late", &late); len(applied.Versions) != 0 || f.remembered(first) != "one" {
		t.Errorf("of an older version: applied %+v, remembered %q", applied, f.remembered(first))
	}
	if f.remember(first, "", nil); f.remembered(first) != "one" {
		t.Error("an older version has it forgotten")
	}

	conn := f.Conn() // a process that ends before its transaction does
	f.Claim(conn, names.ReplicaSet, "")
	b := newBatch(names.ReplicaSet)
	if _, err := b.Add(storetest.Touch(applied.Versions[0], "3"), 0, first.UID, first.At.Time()); err != nil {
		t.Fatal(err)
	}
	b.Remember(first.UID, applied.Versions[0].Revision, []byte("three"))
	if err := f.Apply(t.Context(), conn, b); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.Number("SELECT count(*) FROM log WHERE uid = $1", first.UID); n != 2 || f.remembered(first) != "one" {
		t.Errorf("%d versions, and remembered is %q", n, f.remembered(first))
	}
}

// TestMemory_OfAChangeThatNeedsAnother: an autoscaler remembers that it has scaled its target only
// if it has.
func TestMemory_OfAChangeThatNeedsAnother(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	scaler, was := f.MustWrite(storetest.CreateReplicaSet("scaler", "web")), f.MustWrite(storetest.CreateReplicaSet("target", "web"))
	target := f.MustWrite(storetest.Touch(was, "0"))
	f.remember(scaler, "before", nil)
	commit := func(target *object.Version, change store.Change, memory string) store.Applied {
		t.Helper()
		conn := f.Conn()
		f.Claim(conn, names.ReplicaSet, "")
		b := newBatch(names.ReplicaSet)
		needed, err := b.Add(storetest.Touch(target, memory), 0, scaler.UID, target.At.Time())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Add(change, needed, scaler.UID, target.At.Time()); err != nil {
			t.Fatal(err)
		}
		b.Remember(scaler.UID, change.Old.Revision, []byte(memory))
		applied, err := f.Commit(t.Context(), conn, b)
		if err != nil {
			t.Fatal(err)
		}
		return applied
	}
	got := commit(was, storetest.Touch(scaler, "1"), "scaled")
	if diff := cmp.Diff([]store.Outcome{store.Moved, store.Skipped}, got.Outcomes); diff != "" || f.remembered(scaler) != "before" {
		t.Errorf("the target has moved on: remembered %q; outcomes (-want +got):\n%s", f.remembered(scaler), diff)
	}
	got = commit(target, storetest.Touch(scaler, "1"), "scaled")
	if diff := cmp.Diff([]store.Outcome{store.Kept, store.Kept}, got.Outcomes); diff != "" || f.remembered(scaler) != "scaled" {
		t.Errorf("the target is changed: remembered %q; outcomes (-want +got):\n%s", f.remembered(scaler), diff)
	}
	target, scaler = got.Versions[0], got.Versions[1]
	commit(was, storetest.Remove(scaler), "")
	if f.remembered(scaler) != "scaled" {
		t.Error("it is forgotten although the object has not gone")
	}
	commit(target, storetest.Remove(scaler), "")
	if f.remembered(scaler) != "" {
		t.Errorf("the object has gone: remembered %q", f.remembered(scaler))
	}
}

func TestMemory_IsClaimedWithItsObject(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.remember(f.MustWrite(storetest.CreateReplicaSet("a", "web")), "one", nil)
	f.MustWrite(storetest.CreateReplicaSet("b", "web"))
	claimed, err := wakeup.TakeWithMemory(t.Context(), f.Conn(), names.ReplicaSet, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range claimed.Claims {
		if len(c.IDs) != 1 {
			t.Errorf("%d wakeups were claimed", len(c.IDs))
		}
		got = append(got, string(c.Memory))
	}
	if diff := cmp.Diff([]string{"one", ""}, got); diff != "" {
		t.Errorf("memories (-want +got):\n%s", diff)
	}
}

// TestMemory_AClaimReadsABoundedAmount: it always reads at least one memory, and all objects that
// have none.
func TestMemory_AClaimReadsABoundedAmount(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		v := f.MustWrite(storetest.CreateReplicaSet(name, "web"))
		if name != "c" {
			f.MustExec("INSERT INTO memories (uid, state) VALUES ($1, $2)", v.UID, make([]byte, 100))
		}
	}
	for _, test := range []struct {
		bytes int
		want  []string
	}{
		{0, []string{"a", "c"}}, {100, []string{"a", "c"}}, {101, []string{"a", "b", "c"}}, {301, []string{"a", "b", "c", "d", "e"}},
	} {
		rows, err := f.Pool.Query(t.Context(), `SELECT o.name FROM claim($1, 10, $2) AS c JOIN objects o ON o.uid = c.uid ORDER BY o.name`,
			names.ReplicaSet, test.bytes)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("with %d bytes (-want +got):\n%s", test.bytes, diff)
		}
	}
}

// TestS6_WakesAreForObjectsThatExist: they are committed with the transaction that asks for them.
func TestS6_WakesAreForObjectsThatExist(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	asks := f.MustWrite(storetest.CreateConfigMap("asks"))
	kept, gone := f.MustWrite(storetest.CreatePod("kept", "web")), f.MustWrite(storetest.CreatePod("gone", "web"))
	f.MustWrite(storetest.Remove(gone))
	wake := func(conn *pgx.Conn) *store.Batch {
		b := newBatch(names.Configuration)
		b.Acknowledge(f.Claim(conn, names.Configuration, "").Claims[0].IDs...)
		for _, v := range []*object.Version{kept, gone, kept} {
			b.Wake(names.Kubelet, v.UID, asks.Revision)
		}
		return b
	}
	dead := f.Conn()
	if err := f.Apply(t.Context(), dead, wake(dead)); err != nil {
		t.Fatal(err)
	}
	if err := dead.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Eventually(t, "the locks of the dead are free", func() bool {
		return f.Number("SELECT count(*) FROM (SELECT FROM objects WHERE uid = $1 FOR UPDATE SKIP LOCKED) AS o", asks.UID) == 1
	})
	if n := f.Number("SELECT count(*) FROM wakeups WHERE controller = 'kubelet'"); n != 0 {
		t.Errorf("a transaction that did not commit left %d wakeups", n)
	}
	conn := f.Conn()
	applied, err := f.Commit(t.Context(), conn, wake(conn))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{names.Kubelet}, applied.Woken); diff != "" {
		t.Errorf("woken (-want +got):\n%s", diff)
	}
	if all, of := f.Number("SELECT count(*) FROM wakeups WHERE controller = 'kubelet'"), f.wakeups(names.Kubelet, kept, asks.Revision); all != 1 || of != 1 {
		t.Errorf("%d wakeups, %d of them of the object that is there: want 1", all, of)
	}
}
