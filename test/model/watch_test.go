package model_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/model"
)

// past is a history of five changes of two objects; the last two share one revision.
func past() []model.Change {
	a1 := model.Object{UID: "a", Name: "a", Value: "1", Revision: 11}
	a2 := model.Object{UID: "a", Name: "a", Value: "2", Revision: 13}
	b1 := model.Object{UID: "b", Name: "b", Value: "1", Revision: 12}
	a3, b2 := a2, b1
	a3.Revision, b2.Revision = 15, 15
	return []model.Change{
		{Verb: object.Created, New: a1}, {Verb: object.Created, New: b1}, {Verb: object.Updated, New: a2, Old: &a1},
		{Verb: object.Deleted, New: a3, Old: &a2}, {Verb: object.Deleted, New: b2, Old: &b1},
	}
}

// TestGuarantees_Catch: each checker passes correct watches and fails the violations that it exists
// for, so that its verdict is meaningful.
func TestGuarantees_Catch(t *testing.T) {
	t.Parallel()
	all := past()
	pick := func(which ...int) []model.Change {
		var out []model.Change
		for _, i := range which {
			out = append(out, all[i])
		}
		return out
	}
	altered := pick(0, 1)
	altered[1].New.Value = "other"
	unlinked := pick(0, 1, 2)
	unlinked[2].Old = nil
	invented := pick(0)
	invented = append(invented, model.Change{Verb: object.Created, New: model.Object{UID: "c", Name: "c", Revision: 12}})

	tests := []struct {
		name  string // the guarantee, the case, and whether it passes
		watch model.Watch
	}{
		{"Ordered_all_pass", model.Watch{Events: all}},
		{"Ordered_nothing_pass", model.Watch{}},
		{"Ordered_swapped_fail", model.Watch{Events: pick(1, 0, 2)}},
		{"Unique_all_pass", model.Watch{Events: all}},
		{"Unique_two objects of one revision_pass", model.Watch{After: 13, Events: pick(3, 4)}},
		{"Unique_again at once_fail", model.Watch{Events: pick(0, 1, 1)}},
		{"Unique_again later_fail", model.Watch{Events: pick(0, 1, 2, 0)}},
		{"Atomic_all_pass", model.Watch{Events: all}},
		{"Atomic_ends before_pass", model.Watch{Events: pick(0, 1, 2)}},
		{"Atomic_half a revision_fail", model.Watch{Events: pick(0, 1, 2, 3)}},
		{"Atomic_apart_fail", model.Watch{Events: pick(3, 0, 4)}},
		{"Atomic_a bookmark between_fail", model.Watch{Events: all, Bookmarks: []model.Bookmark{{Revision: 14, Events: 4}}}},
		{"Reliable_all_pass", model.Watch{Events: all}},
		{"Reliable_from the middle_pass", model.Watch{After: 12, Events: pick(2, 3, 4)}},
		{"Reliable_not yet at the end_pass", model.Watch{Events: pick(0, 1)}},
		{"Reliable_a gap_fail", model.Watch{Events: pick(0, 2)}},
		{"Reliable_other contents_fail", model.Watch{Events: altered}},
		{"Reliable_without the version before_fail", model.Watch{Events: unlinked}},
		{"Reliable_invented_fail", model.Watch{Events: invented}},
		{"Resumable_from the beginning_pass", model.Watch{Events: all}},
		{"Resumable_behind the first_pass", model.Watch{After: 11, Events: pick(1, 2)}},
		{"Resumable_from between revisions_pass", model.Watch{After: 14, Events: pick(3, 4)}},
		{"Resumable_repeats its start_fail", model.Watch{After: 11, Events: pick(0, 1)}},
		{"Resumable_skips its beginning_fail", model.Watch{After: 11, Events: pick(2)}},
		{"Bookmarkable_at the end_pass", model.Watch{Events: all, Bookmarks: []model.Bookmark{{Revision: 15, Events: 5}, {Revision: 20, Events: 5}}}},
		{"Bookmarkable_at once_pass", model.Watch{After: 14, Events: pick(3, 4), Bookmarks: []model.Bookmark{{Revision: 14}}}},
		{"Bookmarkable_too far_fail", model.Watch{Events: all, Bookmarks: []model.Bookmark{{Revision: 13, Events: 2}}}},
		{"Bookmarkable_behind_fail", model.Watch{Events: pick(0, 1, 0), Bookmarks: []model.Bookmark{{Revision: 12, Events: 2}}}},
		{"Bookmarkable_goes back_fail", model.Watch{Events: all, Bookmarks: []model.Bookmark{{Revision: 15, Events: 5}, {Revision: 14, Events: 5}}}},
		{"Bookmarkable_before the start_fail", model.Watch{After: 15, Bookmarks: []model.Bookmark{{Revision: 14}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(test.name, "_")
			for _, g := range model.Guarantees {
				if g.Name != name {
					continue
				}
				err := g.Check(all, test.watch)
				if strings.HasSuffix(test.name, "_fail") != (err != nil) {
					t.Errorf("got %v", err)
				}
				return
			}
			t.Fatalf("there is no guarantee %q", name)
		})
	}
}

// TestJudge_NamesWhatIsBroken: it passes a watch of everything.
func TestJudge_NamesWhatIsBroken(t *testing.T) {
	t.Parallel()
	all := past()
	if err := model.Judge(all, model.Watch{Events: all, Bookmarks: []model.Bookmark{{Revision: 15, Events: 5}}}); err != nil {
		t.Errorf("all is well, but: %v", err)
	}
	err := model.Judge(all, model.Watch{Events: []model.Change{all[1], all[0]}})
	if err == nil || !strings.HasPrefix(err.Error(), "not Ordered: revision 11 comes after 12") {
		t.Errorf("got %v", err)
	}
}
