package kube

import (
	"context"
	"hash/maphash"

	"github.com/rowlock/rowlock/internal/object"
)

// turns let requests that have lost a race for an object take turns in this process. If n of them
// tried again at once, each time all but one would lose, and each would try n/2 times on average.
//
// They only save work: two requests that change the same version, of this replica or of another,
// are found by the store. Several objects may share a turn. Safe for concurrent use.
type turns struct {
	seed  maphash.Seed
	taken [256]chan struct{}
}

func newTurns() *turns {
	t := &turns{seed: maphash.MakeSeed()}
	for i := range t.taken {
		t.taken[i] = make(chan struct{}, 1)
	}
	return t
}

// take waits for the object's turn, and returns a function that ends it. The error is the context's.
func (t *turns) take(ctx context.Context, key object.Key) (end func(), err error) {
	one := t.taken[maphash.Comparable(t.seed, key)%uint64(len(t.taken))]
	select {
	case one <- struct{}{}:
		return func() { <-one }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// attempts are the attempts of one request. Once it has lost a race for an object, it has the turn of
// that object until it ends; a request never waits for a second turn, so no two wait for each other.
type attempts struct{ endTurn func() }

func (a *attempts) takeTurn(ctx context.Context, t *turns, key object.Key) (err error) {
	if a.endTurn == nil {
		a.endTurn, err = t.take(ctx, key)
	}
	return err
}

// end ends the turn, if there is one.
func (a *attempts) end() {
	if a.endTurn != nil {
		a.endTurn()
	}
}
