// Package gate makes callers that run Pods' machines for long take turns.
package gate

import (
	"context"
	"sync"
	"time"
)

const (
	// After a turn the gate stays shut for restTimes times the length of the turn, and for at most
	// longestRest. So all callers together use about a quarter of a core.
	restTimes   = 3
	longestRest = 2 * time.Second
)

// Gate lets callers through one at a time, and rests after each turn. The zero value is open. It is
// safe for concurrent use.
//
// Callers that were let through before queue at the back; only the first of them competes with new
// callers. So a caller that needs a single turn waits for at most one of those that need many.
type Gate struct {
	// Rest calls open when the next turn may start. If nil, the gate rests for three times as long
	// as the turn took, and for at most two seconds.
	Rest func(took time.Duration, open func())

	once        sync.Once
	front, back chan struct{} // hold a token when the place is free
}

// Pass runs work when it is the caller's turn. late says that the gate let the caller through
// before. If ctx ends first, Pass returns false and does not run work.
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

// take waits for a place. It returns false if ctx ends first.
func take(ctx context.Context, place chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-place:
		return true
	}
}
