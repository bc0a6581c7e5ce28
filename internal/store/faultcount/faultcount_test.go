package faultcount_test

import (
	"log/slog"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/faultcount"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestTakeFault_IsExact: however many callers ask at once, through two stores, the count holds and
// every turn has its own number.
func TestTakeFault_IsExact(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	v, other := f.MustWrite(storetest.CreateReplicaSet("a", "web")), f.MustWrite(storetest.CreateReplicaSet("b", "web"))
	third := func(n int64) bool { return n%3 == 0 }
	var mu sync.Mutex
	var hits, drawn, last int
	numbers := map[int64]bool{}
	var asking sync.WaitGroup
	for range 40 {
		asking.Go(func() {
			_, hit, ok, err := faultcount.New(f.Pool).Take(t.Context(), v.UID, 7, nil)
			c, drew, open, err2 := faultcount.New(f.Pool).Take(t.Context(), other.UID, 5, third)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || err2 != nil || hit != ok {
				t.Errorf("hit %v, ok %v, %v, %v", hit, ok, err, err2)
			}
			if hit {
				hits++
			}
			if open {
				if numbers[c.Seen] || drew != third(c.Seen) {
					t.Errorf("turn %d, a hit: %v, was taken before: %v", c.Seen, drew, numbers[c.Seen])
				}
				numbers[c.Seen] = true
			}
			if drew {
				drawn++
			}
			if drew && c.Hits == 5 {
				last++
			}
		})
	}
	asking.Wait()
	if hits != 7 || drawn != 5 || last != 1 || len(numbers) != 15 {
		t.Errorf("%d hits, %d drawn, of which %d the last, in %d turns; want 7, 5, 1, 15", hits, drawn, last, len(numbers))
	}
	counts, err := faultcount.New(f.Pool).Of(t.Context(), []types.UID{v.UID, other.UID})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[types.UID]faultcount.Count{v.UID: {Seen: 7, Hits: 7}, other.UID: {Seen: 15, Hits: 5}}, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// TestTakeFault_OfWhatIsGone: a fault that is gone has no turns, and is forgotten.
func TestTakeFault_OfWhatIsGone(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	v := f.MustWrite(storetest.CreateReplicaSet("a", "web"))
	if _, hit, ok, err := faultcount.New(f.Pool).Take(t.Context(), v.UID, 0, nil); !hit || !ok || err != nil {
		t.Fatal(hit, ok, err)
	}
	if _, hit, ok, err := faultcount.New(f.Pool).Take(t.Context(), "00000000-0000-4000-8000-000000000000", 0, nil); hit || ok || err != nil {
		t.Errorf("nobody's turn is a hit: %v, %v, %v", hit, ok, err)
	}
	f.MustWrite(storetest.Remove(v))
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if counts, err := faultcount.New(f.Pool).Of(t.Context(), []types.UID{v.UID}); len(counts) > 0 || err != nil {
		t.Errorf("counts are left: %v, %v", counts, err)
	}
}
