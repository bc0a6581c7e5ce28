package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// remembered returns the memory beside an object.
func (f fixture) remembered(v *object.Version) string {
	f.t.Helper()
	memory, err := f.Memory(f.t.Context(), v.UID)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(memory)
}

// remember stores a memory beside an object as of a version, with a change of the object if there
// is one.
func (f fixture) remember(v *object.Version, memory string, change *store.Change) store.Applied {
	f.t.Helper()
	conn := f.conn()
	f.claim(conn, names.ReplicaSet, "")
	b := newBatch(names.ReplicaSet)
	if change != nil {
		if _, err := b.Add(*change, 0, v.UID, v.At); err != nil {
			f.t.Fatal(err)
		}
	}
	b.Remember(v.UID, v.Revision, []byte(memory))
	applied, err := f.Commit(f.t.Context(), conn, b)
	if err != nil {
		f.t.Fatal(err)
	}
	return applied
}

func TestMemory_IsReplacedAndForgotten(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	v, other := f.mustWrite(createReplicaSet("a", "web")), f.mustWrite(createReplicaSet("b", "web"))
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
	first := f.mustWrite(createReplicaSet("a", "web"))
	change := touch(first, "1")
	applied := f.remember(first, "one", &change)
	if len(applied.Versions) != 1 || f.remembered(first) != "one" {
		t.Fatalf("applied %+v, remembered %q", applied, f.remembered(first))
	}
	late := touch(first, "2")
	if applied := f.remember(first, "late", &late); len(applied.Versions) != 0 || f.remembered(first) != "one" {
		t.Errorf("of an older version: applied %+v, remembered %q", applied, f.remembered(first))
	}
	if f.remember(first, "", nil); f.remembered(first) != "one" {
		t.Error("an older version has it forgotten")
	}

	conn := f.conn() // a process that ends before its transaction does
	f.claim(conn, names.ReplicaSet, "")
	b := newBatch(names.ReplicaSet)
	if _, err := b.Add(touch(applied.Versions[0], "3"), 0, first.UID, first.At); err != nil {
		t.Fatal(err)
	}
	b.Remember(first.UID, applied.Versions[0].Revision, []byte("three"))
	if err := f.Apply(t.Context(), conn, b); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.number("SELECT count(*) FROM log WHERE uid = $1", first.UID); n != 2 || f.remembered(first) != "one" {
		t.Errorf("%d versions, and remembered is %q", n, f.remembered(first))
	}
}

// TestMemory_OfAChangeThatNeedsAnother: an autoscaler remembers that it has scaled its target only
// if it has.
func TestMemory_OfAChangeThatNeedsAnother(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	scaler, was := f.mustWrite(createReplicaSet("scaler", "web")), f.mustWrite(createReplicaSet("target", "web"))
	target := f.mustWrite(touch(was, "0"))
	f.remember(scaler, "before", nil)
	commit := func(target *object.Version, change store.Change, memory string) store.Applied {
		t.Helper()
		conn := f.conn()
		f.claim(conn, names.ReplicaSet, "")
		b := newBatch(names.ReplicaSet)
		needed, err := b.Add(touch(target, memory), 0, scaler.UID, target.At)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Add(change, needed, scaler.UID, target.At); err != nil {
			t.Fatal(err)
		}
		b.Remember(scaler.UID, change.Old.Revision, []byte(memory))
		applied, err := f.Commit(t.Context(), conn, b)
		if err != nil {
			t.Fatal(err)
		}
		return applied
	}
	got := commit(was, touch(scaler, "1"), "scaled")
	if diff := cmp.Diff([]store.Outcome{store.Moved, store.Skipped}, got.Outcomes); diff != "" || f.remembered(scaler) != "before" {
		t.Errorf("the target has moved on: remembered %q; outcomes (-want +got):\n%s", f.remembered(scaler), diff)
	}
	got = commit(target, touch(scaler, "1"), "scaled")
	if diff := cmp.Diff([]store.Outcome{store.Kept, store.Kept}, got.Outcomes); diff != "" || f.remembered(scaler) != "scaled" {
		t.Errorf("the target is changed: remembered %q; outcomes (-want +got):\n%s", f.remembered(scaler), diff)
	}
	target, scaler = got.Versions[0], got.Versions[1]
	commit(was, remove(scaler), "")
	if f.remembered(scaler) != "scaled" {
		t.Error("it is forgotten although the object has not gone")
	}
	commit(target, remove(scaler), "")
	if f.remembered(scaler) != "" {
		t.Errorf("the object has gone: remembered %q", f.remembered(scaler))
	}
}

func TestMemory_IsClaimedWithItsObject(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	f.remember(f.mustWrite(createReplicaSet("a", "web")), "one", nil)
	f.mustWrite(createReplicaSet("b", "web"))
	claimed, err := wakeup.TakeWithMemory(t.Context(), f.conn(), names.ReplicaSet, 10)
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
		v := f.mustWrite(createReplicaSet(name, "web"))
		if name != "c" {
			f.mustExec("INSERT INTO memories (uid, state) VALUES ($1, $2)", v.UID, make([]byte, 100))
		}
	}
	for _, test := range []struct {
		bytes int
		want  []string
	}{
		{0, []string{"a", "c"}}, {100, []string{"a", "c"}}, {101, []string{"a", "b", "c"}}, {301, []string{"a", "b", "c", "d", "e"}},
	} {
		rows, err := f.pool.Query(t.Context(), `SELECT o.name FROM claim($1, 10, $2) AS c JOIN objects o ON o.uid = c.uid ORDER BY o.name`,
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

// TestMemory_OfWhatIsGone: it is forgotten, even if only a client has deleted the object.
func TestMemory_OfWhatIsGone(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	kept, gone := f.mustWrite(createReplicaSet("kept", "web")), f.mustWrite(createReplicaSet("gone", "web"))
	f.remember(kept, "kept", nil)
	f.remember(gone, "gone", nil)
	f.mustWrite(remove(gone))
	f.mustExec("INSERT INTO memories (uid, state) SELECT md5(i::text)::uuid, '' FROM generate_series(1, 1500) AS i")
	if err := f.ForgetGone(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.number("SELECT count(*) FROM memories"); n != 1 || f.remembered(kept) != "kept" {
		t.Errorf("%d memories are left, and %q is remembered", n, f.remembered(kept))
	}
}

// TestS6_WakesAreForObjectsThatExist: they are committed with the transaction that asks for them.
func TestS6_WakesAreForObjectsThatExist(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	asks, kept, gone := f.mustWrite(createConfigMap("asks")), f.mustWrite(createPod("kept", "web")), f.mustWrite(createPod("gone", "web"))
	f.mustWrite(remove(gone))
	wake := func(conn *pgx.Conn) *store.Batch {
		b := newBatch(names.Configuration)
		b.Acknowledge(f.claim(conn, names.Configuration, "").Claims[0].IDs...)
		for _, v := range []*object.Version{kept, gone, kept} {
			b.Wake(names.Kubelet, v.UID, asks.Revision)
		}
		return b
	}
	dead := f.conn()
	if err := f.Apply(t.Context(), dead, wake(dead)); err != nil {
		t.Fatal(err)
	}
	if err := dead.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the locks of the dead are free", func() bool {
		return f.number("SELECT count(*) FROM (SELECT FROM objects WHERE uid = $1 FOR UPDATE SKIP LOCKED) AS o", asks.UID) == 1
	})
	if n := f.number("SELECT count(*) FROM wakeups WHERE controller = 'kubelet'"); n != 0 {
		t.Errorf("a transaction that did not commit left %d wakeups", n)
	}
	conn := f.conn()
	applied, err := f.Commit(t.Context(), conn, wake(conn))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{names.Kubelet}, applied.Woken); diff != "" {
		t.Errorf("woken (-want +got):\n%s", diff)
	}
	if all, of := f.number("SELECT count(*) FROM wakeups WHERE controller = 'kubelet'"), f.wakeups(names.Kubelet, kept, asks.Revision); all != 1 || of != 1 {
		t.Errorf("%d wakeups, %d of them of the object that is there: want 1", all, of)
	}
}
