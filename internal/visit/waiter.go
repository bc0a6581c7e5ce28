package visit

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// waiter is a waiting session of this process. One signal may stand for several events.
type waiter struct {
	woken chan struct{} // there is output to collect, or anything may have changed
	// clock is signalled when the session waits for a moment of cluster time, and that has changed.
	clock chan struct{}

	session int  // 0 before it has begun
	timed   bool // it waits for a moment
}

// waiters are the waiting sessions, by Pod. It is safe for concurrent use.
type waiters struct {
	mu sync.Mutex
	of map[types.UID][]*waiter
}

// add registers a session for signals, until it is removed.
func (w *waiters) add(pod types.UID) *waiter {
	one := &waiter{woken: make(chan struct{}, 1), clock: make(chan struct{}, 1)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[types.UID][]*waiter{}
	}
	w.of[pod] = append(w.of[pod], one)
	return one
}

func (w *waiters) remove(pod types.UID, one *waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[pod] = slices.DeleteFunc(w.of[pod], func(o *waiter) bool { return o == one })
	if len(w.of[pod]) == 0 {
		delete(w.of, pod)
	}
}

// begin sets which session it is.
func (w *waiters) begin(one *waiter, session int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.session = session
}

// time sets whether the session waits for a moment.
func (w *waiters) time(one *waiter, timed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.timed = timed
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
