package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSchedule(t *testing.T) {
	t.Parallel()
	const n = 1000
	all := schedule(7, n, deck)
	if diff := cmp.Diff(all[:100], schedule(7, 100, deck)); diff != "" {
		t.Errorf("the first hundred depend on how many follow (-long +short):\n%s", diff)
	}
	if cmp.Equal(all, schedule(8, n, deck)) {
		t.Error("another seed gives the same")
	}
	count := map[Kind]int{}
	for _, f := range all {
		count[f.Kind]++
	}
	for _, kind := range deck {
		if count[kind] < n/len(deck)-1 {
			t.Errorf("%q comes %d times among %d", kind, count[kind], n)
		}
	}
	alone, together := 0, 0
	for i := 0; i < n; {
		touched := map[string]int{}
		first := i
		for ; i == first || i < n && all[i].Together; i++ {
			for _, part := range all[i].touches() {
				if touched[part]++; touched[part] > 1 {
					t.Errorf("fault %d, %q, befalls %s, as another does at the same time", i, all[i].Kind, part)
				}
			}
		}
		switch size := i - first; {
		case all[first].Together || all[first].After <= 0:
			t.Errorf("fault %d comes without a pause: %+v", first, all[first])
		case size > 3:
			t.Errorf("%d faults from %d on come together", size, first)
		case size > 1:
			together++
		default:
			alone++
		}
	}
	if alone < n/10 || together < n/10 {
		t.Errorf("%d times a fault comes alone, and %d times with others", alone, together)
	}
}
