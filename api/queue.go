package api

import (
	"context"
	"slices"
	"sync"
	"time"
)

// level is how soon a request gets a place that is free. Lower levels come first.
type level int

const (
	// forSystem is for what keeps a cluster going: its own components, and the leases of those who
	// work in turns.
	forSystem level = iota
	// forObjects is for requests about one object, and for lists that come in pages.
	forObjects
	// forBulk is for what takes long: whole lists, and deletions of many.
	forBulk

	levels
)

// flowKey says whose a request is, as far as that matters to who comes next: requests of one flow
// wait for each other, those of others take turns with them.
type flowKey struct {
	level                        level
	fork, user, agent, namespace string
}

// queue lets so many requests of a class in at a time. Others wait, for a while, in flows, which
// take turns. No level has all places but the first, and no flow more than three quarters. It is
// safe for concurrent use.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/flowcontrol (fair queuing, and what is rejected); the levels and flows
// are our own, as FlowSchemas have no effect here
type queue struct {
	size     int // places
	most     int // who may wait at a time
	patience time.Duration

	mu      sync.Mutex // guards all below
	inside  int
	waiting int
	levels  [levels]struct {
		inside int
		turns  []*flow // those with tickets, in the order of their turns
	}
	flows   map[flowKey]*flow // those with requests inside or waiting
	granted uint              // places that were given to those who waited
}

// flow is the requests of one flow. Its tickets are in the order in which they came.
type flow struct {
	key     flowKey
	inside  int
	tickets []*ticket
}

// ticket is what a request waits with. Its channel is closed when it has a place, or is to wait no
// more.
type ticket struct {
	done    chan struct{}
	granted bool // read after done
}

func newQueue(size int, l Limits) *queue {
	return &queue{size: size, most: l.Waiting, patience: l.Patience, flows: map[flowKey]*flow{}}
}

// load is how many requests are under way, and how many wait, as metrics count.
func (q *queue) load() (inside, waiting float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return float64(q.inside), float64(q.waiting)
}

// mostOfFlow is how many places one flow may have.
func (q *queue) mostOfFlow() int { return q.size - q.size/4 }

// mostOfLevel is how many places one level may have.
func (q *queue) mostOfLevel(l level) int { return q.size - q.size*int(l)/8 }

// take takes a place, if there is one soon, and returns how to give it back; nil for none.
func (q *queue) take(ctx context.Context, key flowKey) (leave func()) {
	f, t := q.enter(key)
	switch {
	case f == nil:
		return nil
	case t != nil && !q.wait(ctx, f, t):
		return nil
	}
	return func() { q.leave(f) }
}

// enter takes a place, or a ticket if none is free. The flow is nil if too many requests wait
// already.
func (q *queue) enter(key flowKey) (*flow, *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f := q.flows[key]
	if f == nil {
		f = &flow{key: key}
		q.flows[key] = f
	}
	if q.admitsLocked(f) && len(f.tickets) == 0 {
		q.admitLocked(f)
		return f, nil
	}
	if q.waiting >= q.most && !q.displaceLocked(f) {
		q.forgetLocked(f)
		return nil, nil
	}
	t := &ticket{done: make(chan struct{})}
	if len(f.tickets) == 0 {
		q.levels[key.level].turns = append(q.levels[key.level].turns, f)
	}
	f.tickets = append(f.tickets, t)
	q.waiting++
	return f, t
}

// wait waits for a place, until that takes too long.
func (q *queue) wait(ctx context.Context, f *flow, t *ticket) bool {
	enough := time.NewTimer(q.patience)
	defer enough.Stop()
	select {
	case <-t.done:
		return t.granted
	case <-enough.C:
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-t.done: // in the last moment
		return t.granted
	default:
	}
	q.dropLocked(f, slices.Index(f.tickets, t))
	q.forgetLocked(f)
	return false
}

// leave gives a place back, and gives all places that are free then to those who wait.
func (q *queue) leave(f *flow) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.inside--
	f.inside--
	q.levels[f.key.level].inside--
	for q.grantLocked() {
	}
	q.forgetLocked(f)
}

func (q *queue) admitsLocked(f *flow) bool {
	return q.inside < q.size && q.levels[f.key.level].inside < q.mostOfLevel(f.key.level) && f.inside < q.mostOfFlow()
}

func (q *queue) admitLocked(f *flow) {
	q.inside++
	f.inside++
	q.levels[f.key.level].inside++
}

// grantLocked gives a place to whoever is next: by level, but the last level that waits is the
// first every eighth time, lest it wait for ever. Within a level flows take turns.
func (q *queue) grantLocked() bool {
	first, step := level(0), level(1)
	if q.granted%8 == 7 {
		first, step = levels-1, -1
	}
	for l := first; l >= 0 && l < levels; l += step {
		for i, f := range q.levels[l].turns {
			if !q.admitsLocked(f) {
				continue // it has its share, as only one flow can, or its level has
			}
			t := f.tickets[0]
			f.tickets = without(f.tickets, 0)
			q.levels[l].turns = without(q.levels[l].turns, i)
			if len(f.tickets) > 0 {
				q.levels[l].turns = append(q.levels[l].turns, f)
			}
			q.waiting--
			q.granted++
			q.admitLocked(f)
			t.granted = true
			close(t.done)
			return true
		}
	}
	return false
}

// displaceLocked makes room for another request of a flow to wait, if somebody waits who has less
// reason to: of the last level, whoever came last in the longest flow.
func (q *queue) displaceLocked(f *flow) bool {
	for l := levels - 1; l >= f.key.level; l-- {
		var longest *flow
		for _, other := range q.levels[l].turns {
			if longest == nil || len(other.tickets) > len(longest.tickets) {
				longest = other
			}
		}
		if longest == nil || l == f.key.level && len(longest.tickets) <= len(f.tickets)+1 {
			continue
		}
		last := len(longest.tickets) - 1
		close(longest.tickets[last].done)
		q.dropLocked(longest, last)
		q.forgetLocked(longest)
		return true
	}
	return false
}

// dropLocked takes a ticket out of a flow, and the flow out of the turns when it was the last.
func (q *queue) dropLocked(f *flow, i int) {
	f.tickets = without(f.tickets, i)
	q.waiting--
	if turns := &q.levels[f.key.level].turns; len(f.tickets) == 0 {
		*turns = without(*turns, slices.Index(*turns, f))
	}
}

// forgetLocked forgets a flow that has no requests.
func (q *queue) forgetLocked(f *flow) {
	if f.inside == 0 && len(f.tickets) == 0 {
		delete(q.flows, f.key)
	}
}

// without takes the i-th out of a list, in place.
func without[T any](list []T, i int) []T { return slices.Delete(list, i, i+1) }
