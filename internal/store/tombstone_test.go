package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

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
	if at := got.GetDeletionTimestamp(); at == nil || !at.Equal(&metav1.Time{Time: removed.At.Truncate(time.Second)}) {
		t.Errorf("deleted at %v, committed at %v", at, removed.At)
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
