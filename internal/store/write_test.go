package store_test

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

func TestWrite_AnswersWithWhatTheLogHolds(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	created := f.MustWrite(storetest.CreateConfigMap("a"))
	updated := f.MustWrite(storetest.Update(created, "1"))
	removed := f.MustWrite(storetest.Remove(updated))

	log, err := f.After(t.Context(), created.Revision-1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(log) != 3 {
		t.Fatalf("the log has %d rows, want 3", len(log))
	}
	for i, want := range []*object.Version{created, updated, removed} {
		got := log[i]
		if got.Revision != want.Revision || got.Verb != want.Verb || got.UID != want.UID || got.At != want.At || got.Key() != want.Key() {
			t.Errorf("row %d is %+v, want %+v", i, got, want)
		}
	}
	if string(log[1].Body()) != string(updated.Body()) {
		t.Errorf("the body is %s, want %s", log[1].Body(), updated.Body())
	}
}

func TestWrite_RefusesWhatNoLongerHolds(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	first := f.MustWrite(storetest.CreateConfigMap("a"))
	second := f.MustWrite(storetest.Update(first, "1"))
	gone := f.MustWrite(storetest.CreateConfigMap("gone"))
	f.MustWrite(storetest.Remove(gone))
	ending := f.MustWrite(storetest.Create("namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ending"}}))
	now := metav1.Now()
	terminating := ending.Object().DeepCopyObject().(*corev1.Namespace)
	terminating.DeletionTimestamp = &now
	f.MustWrite(store.Change{Verb: object.Updated, Type: ending.Type, Old: ending, New: terminating})
	before, _, err := f.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inNamespace := func(ns string) store.Change {
		cm := storetest.ConfigMap("b")
		cm.Namespace = ns
		return storetest.Create("configmaps", cm)
	}

	tests := []struct {
		name   string
		change store.Change
		want   error
	}{
		{"a name that is taken", storetest.CreateConfigMap("a"), store.ErrExists},
		{"a namespace that does not exist", inNamespace("nowhere"), store.ErrNamespaceNotFound},
		{"a namespace that is terminating", inNamespace("ending"), store.ErrNamespaceTerminating},
		{"an update of what is gone", storetest.Update(gone, "1"), store.ErrGone},
		{"a removal of what is gone", storetest.Remove(gone), store.ErrGone},
		{"an update of an old version", storetest.Update(first, "2"), &store.ConflictError{Key: first.Key(), Current: second.Revision}},
		{"a removal of an old version", storetest.Remove(first), &store.ConflictError{Key: first.Key(), Current: second.Revision}},
	}
	for _, test := range tests {
		_, err := f.Write(t.Context(), test.change)
		var got, want *store.ConflictError
		if errors.As(test.want, &want) {
			if !errors.As(err, &got) || *got != *want {
				t.Errorf("%s: got %v, want %v", test.name, err, want)
			}
		} else if !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}
	if after, _, _ := f.Revision(t.Context()); after != before {
		t.Errorf("refused writes moved the revision from %d to %d", before, after)
	}
}

// TestS1_RacingCreatesBurnNoRevision: many creations of one name race; one succeeds, and the others
// leave no trace, although none was blocked when it began.
func TestS1_RacingCreatesBurnNoRevision(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 4, MaxBatch: 8})
	before, _, err := f.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const names, racers = 20, 8
	var mu sync.Mutex
	won := map[string]int{}
	var wg sync.WaitGroup
	for i := range names * racers {
		wg.Go(func() {
			name := fmt.Sprintf("cm-%d", i%names)
			_, err := f.Write(t.Context(), storetest.CreateConfigMap(name))
			switch {
			case err == nil:
				mu.Lock()
				won[name]++
				mu.Unlock()
			case !errors.Is(err, store.ErrExists):
				t.Errorf("create %s: %v", name, err)
			}
		})
	}
	wg.Wait()
	for name, n := range won {
		if n != 1 {
			t.Errorf("%s was created %d times", name, n)
		}
	}
	after, _, err := f.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(won) != names || after-before != names {
		t.Errorf("%d names were created with %d revisions, want %d with %d", len(won), after-before, names, names)
	}
}

// TestS3_TheLogIsContiguous: under concurrent writes, revisions have no gaps and every row of the
// log is its object's next version.
func TestS3_TheLogIsContiguous(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 4, MaxBatch: 16})
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			v, err := f.Write(t.Context(), storetest.CreateConfigMap(fmt.Sprintf("cm-%d", i)))
			for n := 0; n < 10 && err == nil; n++ {
				v, err = f.Write(t.Context(), storetest.Update(v, fmt.Sprint(n)))
			}
			if err == nil && i%2 == 0 {
				_, err = f.Write(t.Context(), storetest.Remove(v))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	log, err := f.After(t.Context(), 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + 32*11 + 16; len(log) != want {
		t.Fatalf("the log has %d rows, want %d", len(log), want)
	}
	for i, v := range log {
		if v.Revision != object.Revision(i+1) {
			t.Fatalf("row %d has revision %d", i+1, v.Revision)
		}
		if i > 0 && v.At < log[i-1].At {
			t.Errorf("revision %d is earlier than the one before it", v.Revision)
		}
	}
}

// TestS2_ABusyObjectIsWaitedForAlone: a write whose object is locked leaves its batch, which
// continues without it, and is made when the lock is released.
func TestS2_ABusyObjectIsWaitedForAlone(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{Writers: 1})
	v := f.MustWrite(storetest.CreateConfigMap("busy"))
	tx, err := f.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "SELECT FROM objects WHERE uid = $1 FOR NO KEY UPDATE", v.UID); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := f.Write(t.Context(), storetest.Update(v, "1"))
		done <- err
	}()
	for i := range 10 {
		f.MustWrite(storetest.CreateConfigMap(fmt.Sprintf("other-%d", i)))
	}
	select {
	case err := <-done:
		t.Fatalf("the write did not wait for the lock: %v", err)
	default:
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the write that waited: %v", err)
	}
}

// TestWrite_StaleOnesAreToldTogether: of many writes that wait and change the same version, one
// succeeds, and the others learn that they were too late without a transaction of their own.
func TestWrite_StaleOnesAreToldTogether(t *testing.T) {
	t.Parallel()
	const late = 40
	f, p := newTapped(t, newStore(t, store.Config{}).URL())
	v := f.MustWrite(storetest.CreateConfigMap("hot"))
	entered, leave := make(chan struct{}), make(chan struct{})
	p.set(func(conn net.Conn, message []byte) (int, error) {
		close(entered)
		<-leave
		return conn.Write(message)
	})
	first := make(chan *object.Version, 1)
	go func() { first <- f.MustWrite(storetest.Update(v, "first")) }()
	<-entered
	before := p.count()
	errs := make(chan error, late)
	for i := range late {
		go func() {
			_, err := f.Write(t.Context(), storetest.Update(v, fmt.Sprint(i)))
			errs <- err
		}()
	}
	time.Sleep(100 * time.Millisecond) // most of them wait by then
	close(leave)
	won := <-first
	for range late {
		var conflict *store.ConflictError
		if err := <-errs; !errors.As(err, &conflict) || conflict.Current != won.Revision {
			t.Errorf("a late write got %v, want a conflict with revision %d", err, won.Revision)
		}
	}
	if n := p.count() - before; n > late/2 {
		t.Errorf("%d late writes took %d messages to the database", late, n)
	}
}

// TestRemoval_IsDerivedAlike: the process that deletes an object and those that read the log derive
// the same tombstone, although its row has no body.
func TestRemoval_IsDerivedAlike(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	pod := storetest.Create("pods", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "web", Generation: 1, CreationTimestamp: metav1.Unix(1_700_000_000, 0), Labels: map[string]string{"app": "web"},
	}})
	before := f.MustWrite(pod)
	removed := f.MustWrite(storetest.Remove(before))
	if n := f.Number("SELECT count(*) FROM log WHERE verb = 'd' AND body IS NULL"); n != 1 {
		t.Fatalf("%d removals without a body, want 1", n)
	}
	got := removed.Object()
	if at := got.GetDeletionTimestamp(); at == nil || !at.Equal(&metav1.Time{Time: removed.At.Time().Truncate(time.Second)}) {
		t.Errorf("deleted at %v, committed at %v", at, removed.At.Time())
	}
	if grace := got.GetDeletionGracePeriodSeconds(); grace == nil || *grace != 0 || got.GetGeneration() != 2 {
		t.Errorf("grace %v, generation %d, want 0 and 2", grace, got.GetGeneration())
	}
	steps, _, err := f.Changes(t.Context(), "pods", before.Revision, 10)
	if err != nil || len(steps) != 1 {
		t.Fatalf("%d changes, %v", len(steps), err)
	}
	if diff := cmp.Diff(string(removed.Body()), string(steps[0].New.Body())); diff != "" {
		t.Errorf("as the log has it (-written +read):\n%s", diff)
	}
	if !removed.Is(object.Terminating) || !steps[0].New.Is(object.Terminating) || steps[0].Old.Is(object.Terminating) {
		t.Error("only the removal, as it was written and as it is read, is of an object that is being deleted")
	}
}
