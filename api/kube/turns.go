package kube

import (
	"context"
	"hash/maphash"

	"github.com/rowlock/rowlock/internal/object"
)

// turns let requests that have lost a race for an object take turns in this process. If n of them
// tried again at once, each time all but one would lose, and each would try n/2 times on average.
//
// They only save work: the store detects requests that change the same version, also through
// different replicas. Several objects may share a turn. Safe for concurrent use.
type turns struct {
	seed maphash.Seed
	all  [256]chan struct{} // each holds a value while its turn is taken
}

func newTurns() *turns {
	t := &turns{seed: maphash.MakeSeed()}
	for i := range t.all {
		t.all[i] = make(chan struct{}, 1)
	}
	return t
}

// of returns the object's turn.
func (t *turns) of(key object.Key) chan struct{} {
	return t.all[maphash.Comparable(t.seed, key)%uint64(len(t.all))]
}

// attempts are the attempts of one request. Once it has lost a race for an object, it has the turn
// of that object until it ends. A request never waits for a second turn, so no two requests wait
// for each other.
type attempts struct{ turn chan struct{} }

// take waits for a turn, unless the request has one already. The error is the context's.
func (a *attempts) take(ctx context.Context, turn chan struct{}) error {
	if a.turn != nil {
		return nil
	}
	select {
	case turn <- struct{}{}:
		a.turn = turn
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends the turn, if the request has one.
func (a *attempts) end() {
	if a.turn != nil {
		<-a.turn
	}
}
