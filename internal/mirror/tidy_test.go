package mirror_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// A mirror that has let go of everything but what there is goes on as before: watches from before and those under way miss nothing,
// and an older revision can be listed.
func TestTidy_NothingIsMissed(t *testing.T) {
	t.Parallel()
	r := newReplica(t, pgtest.NewURL(t), true, mirror.Config{})
	makeNamespace(t, r)
	first := create(t, r, "kept")
	under, err := r.Watch("configmaps", "", first.Revision)
	if err != nil {
		t.Fatal(err)
	}
	want := []object.Revision{}
	note := func(v *object.Version) *object.Version { want = append(want, v.Revision); return v }
	for i := range 1500 {
		note(remove(t, r, note(create(t, r, "gone-"+strconv.Itoa(i)))))
	}
	list := r.List("configmaps", "")
	for range 2 {
		r.Tidy()
	}
	last := note(update(t, r, first, "now"))
	late, err := r.Watch("configmaps", "", first.Revision)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*mirror.Watcher{"under way": under, "from before": late} {
		var got []object.Revision
		for range want {
			e, err := w.Next(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, e.New.Revision)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	before, err := r.Mirror.At(t.Context(), "configmaps", "", list.Revision())
	if err != nil || before.Len() != 1 {
		t.Errorf("%d objects, and there was one: %v", before.Len(), err)
	}
	if v := r.Get(last.Key()); v == nil || v.Revision != last.Revision {
		t.Errorf("it is not at revision %d: %v", last.Revision, v)
	}
}
