package mirror

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// TestFresh_KeepsNothingReplaced: a tree whose objects were replaced while it grew keeps some of the
// replaced versions in memory; a fresh copy keeps none, and has the same objects.
func TestFresh_KeepsNothingReplaced(t *testing.T) {
	t.Parallel()
	const objects = 5000
	made := newTree()
	var replaced []weak.Pointer[object.Version]
	for i, name := range rand.New(rand.NewPCG(1, 2)).Perm(objects) {
		first := &object.Version{Type: &core.ConfigMap.Type, Name: fmt.Sprintf("c-%05d", name), Revision: object.Revision(i + 1)}
		replaced = append(replaced, weak.Make(first))
		made.Set(first)
		if i >= 1000 {
			old, _ := made.GetAt(i / 2)
			next := &object.Version{Type: old.Type, Name: old.Name, Revision: old.Revision + objects}
			replaced = append(replaced, weak.Make(old))
			made.Set(next)
		}
	}
	for _, v := range made.Items() {
		made.Set(&object.Version{Type: v.Type, Name: v.Name, Revision: v.Revision + 10*objects})
	}
	alive := func() (n int) {
		runtime.GC()
		for _, p := range replaced {
			if p.Value() != nil {
				n++
			}
		}
		return n
	}
	if alive() == 0 {
		t.Error("a tree keeps nothing that was replaced: fresh has become needless")
	}
	want := revisions(made.Items())
	made = fresh(made)
	if n := alive(); n > 0 {
		t.Errorf("%d replaced versions are still in memory", n)
	}
	if diff := cmp.Diff(want, revisions(made.Items())); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}
