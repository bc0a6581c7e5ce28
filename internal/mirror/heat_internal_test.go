package mirror

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
)

// TestHeat_AgainstAList: the queue holds the versions that were added and not removed, in that
// order, and counts their bytes, wherever versions are removed; and its memory is bounded by what
// it holds.
func TestHeat_AgainstAList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var h heat
		var want []*object.Version
		next := object.Revision(0)
		sizeOf := func(versions []*object.Version) (bytes int) {
			for _, v := range versions {
				bytes += v.Size()
			}
			return bytes
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.IntRange(1, 600).Draw(t, "n") {
					next++
					v := &object.Version{Revision: next}
					v.SetBody(make([]byte, 1+next%7))
					h.add(v)
					want = append(want, v)
				}
			},
			"remove": func(t *rapid.T) {
				for range min(len(want), rapid.IntRange(1, 500).Draw(t, "n")) {
					i := rapid.IntRange(0, len(want)-1).Draw(t, "i")
					v := want[i]
					want = append(want[:i:i], want[i+1:]...)
					h.remove(v)
					h.remove(v) // again, without effect
				}
			},
			"take": func(t *rapid.T) {
				limit := rapid.IntRange(0, 4000).Draw(t, "limit")
				n, bytes := 0, sizeOf(want)
				for n < len(want) && n < coolPage && bytes > limit {
					bytes -= want[n].Size()
					n++
				}
				if diff := cmp.Diff(revisions(want[:n]), revisions(h.takeAbove(limit)), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("taken (-want +got):\n%s", diff)
				}
				want = want[n:]
			},
			"tidy":  func(*rapid.T) { h.tidy() },
			"clear": func(*rapid.T) { h.clear(); want = nil },
			"": func(t *rapid.T) {
				var got []*object.Version
				for i, v := range h.queue {
					if v == nil {
						continue
					}
					if got = append(got, v); v.HotPosition != h.first+uint32(i) {
						t.Fatalf("%d has position %d at %d+%d", v.Revision, v.HotPosition, h.first, i)
					}
				}
				if diff := cmp.Diff(revisions(want), revisions(got), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("held (-want +got):\n%s", diff)
				}
				if h.bytes != sizeOf(want) || h.gaps != len(h.queue)-len(got) || len(h.queue) > 2*len(got)+4*coolPage {
					t.Fatalf("%d bytes, %d nil of %d, and %d bytes in %d versions", h.bytes, h.gaps, len(h.queue), sizeOf(want), len(got))
				}
			},
		})
	})
}

func revisions(versions []*object.Version) (all []object.Revision) {
	for _, v := range versions {
		all = append(all, v.Revision)
	}
	return all
}
