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

// Tell notifies sessions in a Pod that they have output to collect, and returns those that this
// process does not have. It does not block.
func (s *Source) Tell(pod types.UID, sessions []int) (others []int) {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range sessions {
		i := slices.IndexFunc(w.of[pod], func(one *waiter) bool { return one.session == id })
		if i < 0 {
			others = append(others, id)
			continue
		}
		signal(w.of[pod][i].woken)
	}
	return others
}

// TellPod makes all sessions in a Pod check for themselves, because it is gone. It does not block.
func (s *Source) TellPod(pod types.UID) {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.of[pod] {
		signal(one.woken)
	}
}

// TellAll makes all sessions check for themselves, because they may have missed something. It does
// not block.
func (s *Source) TellAll() {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, of := range w.of {
		for _, one := range of {
			signal(one.woken)
		}
	}
}

// TellTime notifies the sessions that wait for a moment of cluster time that the clock has changed.
// It does not block.
func (s *Source) TellTime() {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, of := range w.of {
		for _, one := range of {
			if one.timed {
				signal(one.clock)
			}
		}
	}
}
