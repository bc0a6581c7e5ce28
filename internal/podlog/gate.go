package podlog

import (
	"context"
	"sync"
	"time"
)

const (
	// After a turn the gate stays shut for restTimes as long as the turn took, and for longestRest at most. So all readers of a
	// Source together take a quarter of a core.
	restTimes   = 3
	longestRest = 2 * time.Second
)

// gate lets the readers of a Source run machines one at a time, and rests after each turn. The zero value is open. It is safe for
// concurrent use.
//
// Readers that were let through before queue at the back, and only the first of them waits with the others. So a reader that needs
// a single turn waits for at most one of those that need many.
type gate struct {
	once        sync.Once
	front, back chan struct{} // what is in them is free to take

	// rest calls open when it is time for the next turn; nil rests for restTimes the time that the turn took.
	rest func(took time.Duration, open func())
}

// pass does the work when it is the reader's turn. It returns false, and does nothing, if ctx ends before.
func (g *gate) pass(ctx context.Context, late bool, work func()) bool {
	g.once.Do(func() {
		g.front, g.back = make(chan struct{}, 1), make(chan struct{}, 1)
		g.front <- struct{}{}
		g.back <- struct{}{}
		if g.rest == nil {
			g.rest = func(took time.Duration, open func()) { time.AfterFunc(min(restTimes*took, longestRest), open) }
		}
	})
	if late {
		if !take(ctx, g.back) {
			return false
		}
		defer func() { g.back <- struct{}{} }()
	}
	if !take(ctx, g.front) {
		return false
	}
	began := time.Now()
	defer func() { g.rest(time.Since(began), func() { g.front <- struct{}{} }) }()
	work()
	return true
}

// take waits for a place, and returns false if ctx ends before.
func take(ctx context.Context, place chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-place:
		return true
	}
}
