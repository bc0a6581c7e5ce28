package visit

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// waiter is a session of this process that waits. What it is told of may be told once for several.
type waiter struct {
	told chan struct{} // there is something to collect, or whatever may have changed
	// clock is told where the session waits for a moment of cluster time, and that has changed.
	clock chan struct{}

	session int  // 0 before it has begun
	timed   bool // it waits for a moment
}

// waiters are those who wait, by Pod. It is safe for concurrent use.
type waiters struct {
	mu sync.Mutex
	of map[types.UID][]*waiter
}

// add has a session be told, until it is removed.
func (w *waiters) add(pod types.UID) *waiter {
	one := &waiter{told: make(chan struct{}, 1), clock: make(chan struct{}, 1)}
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

// begin says which session it is.
func (w *waiters) begin(one *waiter, session int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.session = session
}

// time says whether the session waits for a moment.
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

// Tell tells sessions in a Pod that they have something to collect, and returns those that this process does not have. It does not block.
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
		signal(w.of[pod][i].told)
	}
	return others
}

// TellPod has all sessions in a Pod look for themselves, as it has gone. It does not block.
func (s *Source) TellPod(pod types.UID) {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.of[pod] {
		signal(one.told)
	}
}

// TellAll has all sessions look for themselves, as they may have missed something. It does not block.
func (s *Source) TellAll() {
	w := &s.waiting
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, of := range w.of {
		for _, one := range of {
			signal(one.told)
		}
	}
}

// TellTime tells the sessions that wait for a moment of cluster time that the clock has changed. It does not block.
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
