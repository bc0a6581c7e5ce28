package job

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestIntervals_AgainstSets compares the arithmetic of intervals with that of plain sets.
func TestIntervals_AgainstSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const limit = 30
		draw := rapid.SliceOfN(rapid.IntRange(0, limit-1), 0, 20)
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		x, y := intervals(nil).with(slices.Clone(a)), intervals(nil).with(slices.Clone(b))
		both := x.merge(y)
		total, common := 0, 0
		for i := range limit {
			inA, inB := slices.Contains(a, i), slices.Contains(b, i)
			if both.has(i) != (inA || inB) {
				t.Fatalf("%v and %v are %v, which is wrong about %d", x, y, both, i)
			}
			if inA || inB {
				total++
			}
			if inA && inB {
				common++
			}
		}
		if both.total() != total || x.common(y) != common {
			t.Fatalf("%v and %v have %d and %d in common, want %d and %d", x, y, both.total(), x.common(y), total, common)
		}
		if d := cmp.Diff(both.String(), parseIntervals(both.String(), limit).String()); d != "" {
			t.Fatalf("read back (-want +got):\n%s", d)
		}
	})
}

func TestIntervals_Text(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"nothing", "", 9, ""},
		{"one, two in a row, three in a row", "1,3,4,6-8", 9, "1,3,4,6-8"},
		{"what touches grows together", "1,2,3-5", 9, "1-5"},
		{"what is too high is cut off", "1,3-9,11", 5, "1,3,4"},
		{"what is not a number is passed over", "x,1,2-y,4", 9, "1,4"},
		{"a number below zero", "-3,1", 9, "1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, parseIntervals(row.text, row.limit).String()); d != "" {
				t.Errorf("read back (-want +got):\n%s", d)
			}
		})
	}
}

func TestIndexedName(t *testing.T) {
	t.Parallel()
	long := "a23456789-123456789-123456789-123456789-123456789-123456789-123"
	for _, row := range []struct {
		job   string
		index int
		want  string
	}{
		{"pi", 0, "pi-0-"},
		{long, 7, "a23456789-123456789-123456789-123456789-123456789-12345-7-"},
		{long, 12345, "a23456789-123456789-123456789-123456789-123456789-1-12345-"},
	} {
		if got := indexedName(row.job, row.index); got != row.want {
			t.Errorf("the Pods of index %d are named %q, want %q", row.index, got, row.want)
		}
	}
}
