package api

import (
	"context"
	"slices"
	"sync"
	"time"
)

// level is the priority of a waiting request. Lower levels come first.
type level int

const (
	// forSystem is for requests that keep a cluster running: those of its own components, and
	// leases for leader election.
	forSystem level = iota
	// forObjects is for requests about one object, and for paged lists.
	forObjects
	// forBulk is for expensive requests: whole lists, and deletions of collections.
	forBulk

	levels
)

// flowKey identifies a flow. Requests of one flow wait for each other; flows of the same level take
// turns.
type flowKey struct {
	level                        level
	fork, user, agent, namespace string
}

// queue limits the concurrent requests of one class to size slots. Other requests wait for a
// limited time, in flows that take turns. Only the first level may use all slots, and no flow may
// use more than three quarters. It is safe for concurrent use.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/flowcontrol (fair queuing and
// rejection)
//
// Differs: levels and flows are fixed, because FlowSchemas have no effect here.
type queue struct {
	size     int // slots
	most     int // maximum number of waiting requests
	patience time.Duration

	mu      sync.Mutex // guards the fields below
	inside  int
	waiting int
	levels  [levels]struct {
		inside int
		turns  []*flow // flows with tickets, in the order of their turns
	}
	flows   map[flowKey]*flow // flows with running or waiting requests
	granted uint              // slots granted to waiting requests so far
}

// flow holds the requests of one flow. Its tickets are in order of arrival.
type flow struct {
	key     flowKey
	inside  int
	tickets []*ticket
}

// ticket is a waiting request. Its channel is closed when it gets a slot or is displaced.
type ticket struct {
	done    chan struct{}
	granted bool // read after done
}

func newQueue(size int, l Limits) *queue {
	return &queue{size: size, most: l.Waiting, patience: l.Patience, flows: map[flowKey]*flow{}}
}

// load returns the numbers of running and waiting requests.
func (q *queue) load() (inside, waiting float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return float64(q.inside), float64(q.waiting)
}

// mostOfFlow returns the maximum number of slots of one flow.
func (q *queue) mostOfFlow() int { return q.size - q.size/4 }

// mostOfLevel returns the maximum number of slots of one level.
func (q *queue) mostOfLevel(l level) int { return q.size - q.size*int(l)/8 }

// take waits for a slot and returns the function that frees it; nil if it gets none in time.
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

// enter takes a slot, or a ticket if none is free. The flow is nil if too many requests are
// waiting.
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

// wait waits for a slot until patience runs out or ctx ends.
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
	case <-t.done: // granted at the last moment
		return t.granted
	default:
	}
	q.dropLocked(f, slices.Index(f.tickets, t))
	q.forgetLocked(f)
	return false
}

// leave frees a slot and grants free slots to waiting requests.
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

// grantLocked grants a slot to the next waiting request: by level, but every eighth time from the
// last level up, so that none starves. Within a level, flows take turns.
func (q *queue) grantLocked() bool {
	first, step := level(0), level(1)
	if q.granted%8 == 7 {
		first, step = levels-1, -1
	}
	for l := first; l >= 0 && l < levels; l += step {
		for i, f := range q.levels[l].turns {
			if !q.admitsLocked(f) {
				continue // its flow (only one can) or its level has used up its share
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

// displaceLocked makes room for another waiting request of a flow by dropping a less important one:
// on the last level, the latest ticket of the longest flow.
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

// dropLocked removes a ticket from a flow, and the flow from the turns if it was the last ticket.
func (q *queue) dropLocked(f *flow, i int) {
	f.tickets = without(f.tickets, i)
	q.waiting--
	if turns := &q.levels[f.key.level].turns; len(f.tickets) == 0 {
		*turns = without(*turns, slices.Index(*turns, f))
	}
}

// forgetLocked removes a flow without requests.
func (q *queue) forgetLocked(f *flow) {
	if f.inside == 0 && len(f.tickets) == 0 {
		delete(q.flows, f.key)
	}
}

// without removes element i of a list, in place.
func without[T any](list []T, i int) []T { return slices.Delete(list, i, i+1) }
