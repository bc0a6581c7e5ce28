package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

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
