package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns_GrowUnderLoad: the usual number of turns runs at first, and one more for every quarter
// of a second in which workers wait, up to the most.
func TestTurns_GrowUnderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(4, 6)
		begun := make(chan struct{}, 20)
		for range 20 {
			go func() {
				if turns.begin(t.Context()) == nil {
					begun <- struct{}{}
				}
			}()
		}
		for i, want := range []int{4, 5, 6, 6, 6} {
			if synctest.Wait(); len(begun) != want {
				t.Errorf("after %d quarters of a second %d turns run, want %d", i, len(begun), want)
			}
			time.Sleep(moreTurnsAfter)
		}
		for range 6 {
			turns.end()
		}
		if synctest.Wait(); len(begun) != 12 {
			t.Errorf("after six have ended, %d have begun", len(begun))
		}
	})
}

// TestTurns_ShrinkAfterwards: when workers no longer wait, the number of turns goes back to the
// usual one, slowly.
func TestTurns_ShrinkAfterwards(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(2, 8)
		for range 4 {
			if err := turns.begin(t.Context()); err != nil { // the last two wait
				t.Fatal(err)
			}
		}
		for range 4 {
			turns.end()
		}
		for i, want := range []int{4, 3, 2, 2} {
			if turns.now != want || len(turns.free) != want {
				t.Errorf("after %d times ten seconds %d turns may run at a time, and %d could begin, want %d", i, turns.now, len(turns.free), want)
			}
			time.Sleep(fewerTurnsAfter)
			for range 3 {
				if err := turns.begin(t.Context()); err != nil {
					t.Fatal(err)
				}
				turns.end()
			}
		}
	})
}

// TestTurns_ShortWaitsDoNotGrow: turns that soon end make room for each other.
func TestTurns_ShortWaitsDoNotGrow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns(4, 16)
		for range 40 { // each waits for less than a quarter of a second
			go func() {
				if turns.begin(t.Context()) == nil {
					time.Sleep(20 * time.Millisecond)
					turns.end()
				}
			}()
		}
		time.Sleep(time.Second)
		if turns.now != 4 || len(turns.free) != 4 {
			t.Errorf("%d turns may run at a time, and %d could begin", turns.now, len(turns.free))
		}
	})
}

// TestTurns_GivesUp: a worker that is stopped waits no longer.
func TestTurns_GivesUp(t *testing.T) {
	t.Parallel()
	turns := NewTurns(1, 1)
	if err := turns.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := turns.begin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the second turn has ended with %v", err)
	}
}
