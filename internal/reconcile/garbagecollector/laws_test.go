package garbagecollector_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/garbagecollector"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// drawWorld makes a world of up to eight objects whose owners are any of them, or objects that are
// gone: cycles are as likely as trees. No object owns itself, because nothing, not even upstream,
// could ever delete that in the foreground.
func drawWorld(t *rapid.T) world {
	w := world{}
	count := rapid.IntRange(1, 8).Draw(t, "objects")
	for i := range count {
		o := configMap(fmt.Sprintf("o%d", i))
		for j := range count + 1 {
			if i == j || !rapid.Bool().Draw(t, "owned") {
				continue
			}
			references(rapid.Bool().Draw(t, "block"), []string{fmt.Sprintf("o%d", j)})(o)
		}
		w[o.Name] = o
	}
	return w
}

func drawPropagation(t *rapid.T) metav1.DeletionPropagation {
	return rapid.SampledFrom([]metav1.DeletionPropagation{
		metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan,
	}).Draw(t, "propagation")
}

// TestLookIsPure: the same snapshot gives the same plan, and no sync modifies its snapshot.
func TestLookIsPure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.delete("o0", drawPropagation(t))
		for _, name := range w.names() {
			laws.Check(t, garbagecollector.Reconcile, w.snapshot(name))
		}
	})
}

// TestDeletionSettles: whatever is deleted in whatever way, the collector settles, nothing is left
// half deleted, and every remaining reference leads to an existing object.
func TestDeletionSettles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.delete("o0", drawPropagation(t))
		if w.settle(100) < 0 {
			t.Fatalf("the world does not settle: %v", w.names())
		}
		for _, name := range w.names() {
			if w[name].DeletionTimestamp != nil {
				t.Errorf("%s is still being deleted", name)
			}
			for _, ref := range w[name].OwnerReferences {
				if w[ref.Name] == nil {
					t.Errorf("%s still names %s, which is gone", name, ref.Name)
				}
			}
		}
	})
}

// TestOrphansStay: deletion with the policy Orphan removes one object and nothing else.
func TestOrphansStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w["o0"].OwnerReferences = nil
		for i := range w {
			w[i].OwnerReferences = slices.DeleteFunc(w[i].OwnerReferences, func(r metav1.OwnerReference) bool { return w[r.Name] == nil })
		}
		want := w.names()[1:]
		w.delete("o0", metav1.DeletePropagationOrphan)
		if w.settle(100) < 0 {
			t.Fatalf("the world does not settle: %v", w.names())
		}
		if diff := cmp.Diff(want, w.names()); diff != "" {
			t.Errorf("objects (-want +got):\n%s", diff)
		}
	})
}
