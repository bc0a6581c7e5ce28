// Package gate has those who run machines of Pods at length take turns.
package gate

import (
	"context"
	"sync"
	"time"
)

const (
	// After a turn the gate stays shut for restTimes as long as the turn took, and for longestRest at most. So all that pass it together
	// take a quarter of a core.
	restTimes   = 3
	longestRest = 2 * time.Second
)

// Gate lets callers through one at a time, and rests after each turn. The zero value is open. It is safe for concurrent use.
//
// Callers that were let through before queue at the back, and only the first of them waits with the others. So one that needs
// a single turn waits for at most one of those that need many.
type Gate struct {
	// Rest calls open when it is time for the next turn; nil rests for three times the time that
	// the turn took, and for two seconds at most.
	Rest func(took time.Duration, open func())

	once        sync.Once
	front, back chan struct{} // what is in them is free to take
}

// Pass does the work when it is the caller's turn; late says that the caller was let through before. It returns false, and does nothing, if
// ctx ends before.
func (g *Gate) Pass(ctx context.Context, late bool, work func()) bool {
	g.once.Do(func() {
		g.front, g.back = make(chan struct{}, 1), make(chan struct{}, 1)
		g.front <- struct{}{}
		g.back <- struct{}{}
		if g.Rest == nil {
			g.Rest = func(took time.Duration, open func()) { time.AfterFunc(min(restTimes*took, longestRest), open) }
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
	defer func() { g.Rest(time.Since(began), func() { g.front <- struct{}{} }) }()
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
