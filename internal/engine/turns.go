package engine

import (
	"context"
	"sync"
	"time"
)

const (
	// moreTurnsAfter is how long a worker must have waited before one more turn may run, and the
	// least time from one such step to the next.
	moreTurnsAfter = 250 * time.Millisecond
	// fewerTurnsAfter is how long no worker has waited for that before one turn less may run, and
	// the least time from one such step to the next.
	fewerTurnsAfter = 10 * time.Second
)

// Turns bounds how many turns the workers of a replica run at a time. Usually as many run as there
// are processors: more would only share them, and take fewer objects each, while what becomes due
// during a wait is taken by one turn. More turns run when workers wait long, because turns are slow
// for another reason, such as a distant database.
//
// Each turn needs a database session, and a new session costs PostgreSQL as much as dozens of
// turns, to read the catalog and plan its first statements. When a replica starts, nearly every
// worker has something to do for a moment; so the number of turns grows slowly.
//
// A nil Turns has no bound. It is safe for concurrent use.
type Turns struct {
	free  chan struct{} // holds a token for every turn that may begin
	usual int

	mu      sync.Mutex
	now     int       // how many may run at a time
	changed time.Time // when that grew or shrank last
}

// NewTurns makes a Turns that usually lets this many turns run at a time, at least one, and never
// more than most.
func NewTurns(usual, most int) *Turns {
	usual = min(max(usual, 1), most)
	t := &Turns{free: make(chan struct{}, most), usual: usual, now: usual}
	for range usual {
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
	if t.now == cap(t.free) || at.Sub(t.changed) < moreTurnsAfter {
		return false
	}
	t.now, t.changed = t.now+1, at
	return true
}

// shrink reports whether the turn that has just ended is one too many.
func (t *Turns) shrink(at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now == t.usual || at.Sub(t.changed) < fewerTurnsAfter {
		return false
	}
	t.now, t.changed = t.now-1, at
	return true
}

func (t *Turns) end() {
	if t != nil && !t.shrink(time.Now()) {
		t.free <- struct{}{}
	}
}
