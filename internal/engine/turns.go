package engine

import (
	"context"
	"sync"
	"time"
)

const (
	// firstTurns is how many turns run at a time at first.
	firstTurns = 4
	// moreTurnsAfter is how long a worker must have waited before one more turn may run, and the
	// least time from one such step to the next.
	moreTurnsAfter = 250 * time.Millisecond
)

// Turns bounds how many turns the workers of a replica run at a time. Each of them needs a database
// session, and a new session costs PostgreSQL as much as dozens of turns, to read the catalog and
// plan its first statements. When a replica starts, nearly every worker has something to do for a
// moment; so few turns run at a time at first, and more when workers wait.
//
// A nil Turns has no bound. It is safe for concurrent use.
type Turns struct {
	free chan struct{} // holds a token for every turn that may begin

	mu    sync.Mutex
	now   int // how many may run at a time
	grown time.Time
}

// NewTurns makes a Turns that never lets more than most turns run at a time.
func NewTurns(most int) *Turns {
	t := &Turns{free: make(chan struct{}, most), now: min(firstTurns, most)}
	for range t.now {
		t.free <- struct{}{}
	}
	return t
}

// begin waits until one more turn may run; end must follow. The error is that of ctx.
func (t *Turns) begin(ctx context.Context) error {
	if t == nil {
		return nil
	}
	wait := time.NewTimer(moreTurnsAfter)
	defer wait.Stop()
	for {
		select {
		case <-t.free:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case at := <-wait.C:
			if t.grow(at) {
				return nil
			}
			wait.Reset(moreTurnsAfter)
		}
	}
}

// grow lets the caller run one turn more, if that is possible.
func (t *Turns) grow(at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now == cap(t.free) || at.Sub(t.grown) < moreTurnsAfter {
		return false
	}
	t.now, t.grown = t.now+1, at
	return true
}

func (t *Turns) end() {
	if t != nil {
		t.free <- struct{}{}
	}
}
