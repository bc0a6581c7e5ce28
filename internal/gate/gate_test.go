package gate_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rowlock/rowlock/internal/gate"
)

// TestPass_RestsAfterEachTurn: the next caller waits three times as long as the turn took, and two
// seconds at most.
func TestPass_RestsAfterEachTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g gate.Gate
		began := time.Now()
		for _, step := range []struct{ work, at time.Duration }{
			{100 * time.Millisecond, 0},
			{5 * time.Second, 400 * time.Millisecond},
			{0, 7400 * time.Millisecond},
		} {
			g.Pass(t.Context(), false, func() {
				if at := time.Since(began); at != step.at {
					t.Errorf("a turn began after %s, not %s", at, step.at)
				}
				time.Sleep(step.work)
			})
		}
	})
}

// TestPass_OneAtATime: of many callers, one works; a caller that is new waits for one of those that
// were let through before, and not for all.
func TestPass_OneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := gate.Gate{Rest: func(_ time.Duration, open func()) { open() }}
		working, turns := 0, 0
		turn := func() {
			if working++; working != 1 {
				t.Errorf("%d work at a time", working)
			}
			time.Sleep(time.Second)
			working--
			turns++
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { g.Pass(t.Context(), true, turn) })
		}
		time.Sleep(time.Millisecond)
		g.Pass(t.Context(), false, func() {
			if turns > 2 {
				t.Errorf("a new caller waited for %d turns", turns)
			}
			turn()
		})
		all.Wait()
		if turns != 11 {
			t.Errorf("%d turns, not 11", turns)
		}
	})
}

// TestPass_GivesUp: a caller whose context ends does not work, and takes no place from others.
func TestPass_GivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g gate.Gate
		g.Pass(t.Context(), false, func() { time.Sleep(time.Second) })
		for _, late := range []bool{false, true} {
			ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
			if g.Pass(ctx, late, func() { t.Error("it works nevertheless") }) {
				t.Error("it was let through")
			}
			stop()
		}
		if !g.Pass(t.Context(), true, func() {}) {
			t.Error("the next one was not let through")
		}
	})
}
