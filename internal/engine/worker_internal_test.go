package engine

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestWake_CountsAsWork: an advance waits for a worker from the moment it is woken, however often,
// until it waits again.
func TestWake_CountsAsWork(t *testing.T) {
	t.Parallel()
	c, err := clock.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := &Worker{signal: make(chan struct{}, 1)}
		w.Driver = clock.NewDriver(c, slog.New(slog.DiscardHandler))
		working := func(want int, when string) {
			t.Helper()
			synctest.Wait()
			if got := w.Driver.Working(); got != want {
				t.Errorf("%d workers are working %s, want %d", got, when, want)
			}
		}
		w.Driver.Busy() // as Run does
		began := make(chan struct{})
		go func() {
			w.wait(t.Context(), time.Hour)
			close(began)
			time.Sleep(time.Second) // a turn
			w.wait(t.Context(), time.Hour)
			time.Sleep(time.Second)
			w.wait(t.Context(), time.Second)
		}()
		working(0, "while it waits")
		w.Wake()
		working(1, "as it is woken")
		<-began
		w.Wake()
		w.Wake()
		working(2, "in its turn, as another is to follow")
		time.Sleep(3 * time.Second / 2)
		working(1, "in that one")
		time.Sleep(time.Second)
		working(0, "when it waits again")
	})
}

// TestRest: a controller limited to a part of a core rests after each turn for as long as keeps it
// to that part.
func TestRest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		core   float64
		claims int
		took   time.Duration
		want   time.Duration
	}{
		{"a quarter", 0.25, 1, 100 * time.Millisecond, 300 * time.Millisecond},
		{"half", 0.5, 8, 100 * time.Millisecond, 100 * time.Millisecond},
		{"all of it", 1, 1, 100 * time.Millisecond, 0},
		{"without bound", 0, 1, 100 * time.Millisecond, 0},
		{"without claims", 0.25, 0, 100 * time.Millisecond, 0},
		{"a turn of no time", 0.25, 1, 0, 0},
		{"a very long turn", 0.25, 1, time.Minute, longestRest},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &Worker{controller: Controller{Core: test.core}, signal: make(chan struct{}, 1)}
				w.Wake() // the next turn finds the work
				began := time.Now()
				w.rest(t.Context(), test.claims, test.took)
				if got := time.Since(began); got != test.want {
					t.Errorf("rested for %v, want %v", got, test.want)
				}
			})
		})
	}
	t.Run("until the end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			w := &Worker{controller: Controller{Core: 0.01}, signal: make(chan struct{}, 1)}
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			began := time.Now()
			w.rest(ctx, 1, time.Second)
			if got := time.Since(began); got != time.Millisecond {
				t.Errorf("rested for %v after the end", got)
			}
		})
	})
}

// TestReconcile_NotWhileTheMirrorLoadsAgain: a mirror that was emptied after it had reached the
// claim's revision shows nothing, and a reconciler that trusted it would plan nothing and
// acknowledge its wakeups.
func TestReconcile_NotWhileTheMirrorLoadsAgain(t *testing.T) {
	t.Parallel()
	called := false
	w := &Worker{
		Deps: Deps{Mirror: mirror.New(nil, mirror.Config{}, slog.New(slog.DiscardHandler))},
		controller: Controller{Reconcile: func(mirror.View, []Request, time.Time) []Planned {
			called = true
			return nil
		}},
	}
	planned, _, err := w.reconcile(wakeup.Claimed{Claims: []wakeup.Claim{{UID: "a"}}, Revision: 7}, []Request{{UID: "a"}}, time.Now())
	if called || err == nil || planned != nil {
		t.Errorf("reconciled: %v, planned %v, error %v; want no plan and an error", called, planned, err)
	}
}
