package mirror_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/store"
)

// TestTidy_NothingIsMissed: a mirror that has dropped everything but the current state continues as
// before: earlier watches and those under way miss nothing, and an older revision can be listed.
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
		r.Tidy(t.Context())
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

// TestTidy_CompactedPages: a snapshot that the log has been compacted past is dropped although it
// is used again and again; one that is retained stays.
func TestTidy_CompactedPages(t *testing.T) {
	t.Parallel()
	r := newReplica(t, pgtest.NewURL(t), true, mirror.Config{})
	makeNamespace(t, r)
	create(t, r, "a")
	old := r.List("configmaps", "")
	last := create(t, r, "b")
	kept := r.List("configmaps", "")
	if _, err := r.Mirror.At(t.Context(), "configmaps", "", old.Revision()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Store.Compact(t.Context(), last.Revision); err != nil {
		t.Fatal(err)
	}
	r.Tidy(t.Context())
	if s, err := r.Mirror.At(t.Context(), "configmaps", "", old.Revision()); !errors.Is(err, store.ErrCompacted) {
		t.Errorf("got %v, %v, want %v", s, err, store.ErrCompacted)
	}
	if s, err := r.Mirror.At(t.Context(), "configmaps", "", kept.Revision()); err != nil || s.Len() != 2 {
		t.Errorf("what is retained: %v, %v", s, err)
	}
}
