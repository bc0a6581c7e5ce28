package world

import (
	"container/heap"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/wakeup"
)

const (
	// eventTTL is how long an Event is kept after it was last written.
	// Source: kubernetes v1.36 pkg/controlplane/apiserver/options/options.go, EventTTL.
	eventTTL = time.Hour
	// expiryEvery is the minimum time between two syncs, expiryBurst how many Events one sync
	// deletes.
	expiryEvery = time.Minute
	expiryBurst = 500
)

// Expiry keeps the Events in the order in which they expire. It observes the mirror, so that a sync
// costs only what it deletes.
type Expiry struct {
	mu    sync.Mutex
	queue eventQueue
}

// NewExpiry makes an empty Expiry, which must observe the mirror.
func NewExpiry() *Expiry { return &Expiry{} }

var _ mirror.Observer = (*Expiry)(nil)

// Reset implements mirror.Observer.
func (x *Expiry) Reset() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.queue = nil
}

// Observe implements mirror.Observer.
func (x *Expiry) Observe(e mirror.Event) {
	if e.New.Type.Plural != "events" || e.New.Verb == object.Deleted {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	heap.Push(&x.queue, written{e.New.UID, e.New.Revision})
}

// Sync deletes Events that have not been written for an hour. It repeats when the next one expires,
// in a minute at the earliest, or at once if there are more. Events written from now on expire in
// an hour at the earliest, so that is early enough.
func (x *Expiry) Sync(v mirror.View, _ []engine.Request, now time.Time) []engine.Planned {
	x.mu.Lock()
	defer x.mu.Unlock()
	var p plan.Plan
	var taken []written
	next := x.next(v)
	for ; next != nil && !next.At.Time().After(now.Add(-eventTTL)); next = x.next(v) {
		if len(p.Deletes) == expiryBurst {
			p.WakeAt = now
			break
		}
		taken = append(taken, heap.Pop(&x.queue).(written))
		p.Deletes = append(p.Deletes, plan.Delete{Object: next.Object()})
	}
	if p.WakeAt.IsZero() {
		p.WakeAt = now.Add(eventTTL)
		if next != nil {
			p.WakeAt = next.At.Time().Add(eventTTL + time.Second - 1).Truncate(time.Second)
		}
		if earliest := now.Add(expiryEvery); p.WakeAt.Before(earliest) {
			p.WakeAt = earliest
		}
	}
	for _, w := range taken { // until the mirror shows that they are gone
		heap.Push(&x.queue, w)
	}
	return []engine.Planned{{UID: wakeup.HousekeepingLock, Plan: p}}
}

// next drops, from the front of the queue, Events that are gone or were written again, and returns
// the first that is left, nil if none is.
func (x *Expiry) next(v mirror.View) *object.Version {
	for len(x.queue) > 0 {
		w := x.queue[0]
		if o := v.UID(w.uid); o != nil && o.Revision == w.revision {
			return o
		}
		heap.Pop(&x.queue)
	}
	return nil
}

// written is the revision at which an Event was last written. A later one has a later time.
type written struct {
	uid      types.UID
	revision object.Revision
}

// eventQueue is a heap, longest unwritten first.
type eventQueue []written

func (q eventQueue) Len() int { return len(q) }

func (q eventQueue) Less(i, j int) bool { return q[i].revision < q[j].revision }

func (q eventQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *eventQueue) Push(x any) { *q = append(*q, x.(written)) }

func (q *eventQueue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	*q = (*q)[:last]
	return w
}
