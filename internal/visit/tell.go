package visit

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

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
