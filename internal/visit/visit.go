// Package visit gives the machines of Pods inputs from outside the kubelet: commands that are executed, what somebody types, requests
// to servers.
//
// A visit is one transaction under the Pod's lock, the lock that the kubelet's claims take. It reads what the kubelet remembers beside the
// Pod, opens the machine, runs it up to now, gives it the inputs, runs it on, and writes it back. A Pod in closed form has a machine from
// then on. What follows for the Pod itself, such as the end of a container, is the kubelet's business: it finds the news in the memory,
// and is woken in the same transaction, as soon as the machine has news or questions for it, or at the time at which it will have.
//
// Time never goes back: inputs happen at cluster time or, if the machine has come further, then. A machine runs ahead of the cluster by
// what its programs compute, a second at most. So commands answer while the clock is paused, and only what waits for time waits.
package visit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
)

// Errors of visits, besides those of the emulator and the database.
var (
	ErrGone       = errors.New("the Pod is gone")
	ErrBusy       = errors.New("the Pod is busy")
	ErrNotRunning = kubelet.ErrNotRunning
)

// mirrorWait is how long a visit waits, with the Pod locked, until the mirror has the Pod as it was locked.
const mirrorWait = 500 * time.Millisecond

// Source is where Pods are visited. It is safe for concurrent use; it must not be copied.
type Source struct {
	// Visit is the store's.
	Visit func(ctx context.Context, controller string, uid types.UID, f func(store.Visited) (memory []byte, wake time.Time, err error)) error
	// Kubelet is the name of the controller that is woken.
	Kubelet string
	// WaitFor waits until the mirror has reached a revision.
	WaitFor func(ctx context.Context, revision object.Revision) error
	// Snapshot is what a kubelet sees of a Pod, by the mirror, beside which that is remembered; its Pod is nil if there is none. See
	// kubelet.NeededToRead.
	Snapshot func(pod types.UID, memory []byte, now time.Time) kubelet.Snapshot

	// Memory is what is remembered beside a Pod now, by a read that takes no lock.
	Memory func(ctx context.Context, pod types.UID) ([]byte, error)

	// Exists says whether there is such a Pod, by the mirror.
	Exists func(pod types.UID) bool

	Real  func() time.Time                // real time
	Now   func() time.Time                // cluster time
	Until func(t time.Time) time.Duration // real time until a moment of cluster time

	mu      sync.Mutex
	waiting map[types.UID]map[chan struct{}]struct{} // who is to be told of visits to a Pod by this process
}

// Visitor is what an input has at hand: the machine as it is at Visit.At. Run has it go on.
type Visitor = kubelet.Visit

// Outcome is what a visit has come to.
type Outcome struct {
	Pod *corev1.Pod // as it was locked

	// Heard is when the session that the machine listens to will have something to tell, if nothing changes before; zero if that is
	// not foreseen. Waits says that the machine waits for the kubelet, which has been woken.
	Heard time.Time
	Waits bool

	memory []byte // that was left
}

// Do visits a Pod: input gives the machine its inputs and runs it. If input fails, nothing has happened.
//
// Errors: ErrGone, ErrBusy, ErrNotRunning, input's, emulator.ErrSize if the machine would be too large, and the database's.
func (s *Source) Do(ctx context.Context, pod types.UID, input func(v *Visitor) error) (out Outcome, err error) {
	changed := false
	err = s.Visit(ctx, s.Kubelet, pod, func(v store.Visited) ([]byte, time.Time, error) {
		bounded, cancel := context.WithTimeout(ctx, mirrorWait)
		defer cancel()
		if err := s.WaitFor(bounded, v.Revision); err != nil {
			return nil, time.Time{}, fmt.Errorf("%w: %w", ErrBusy, err)
		}
		snapshot := s.Snapshot(pod, v.Memory, v.Now)
		if snapshot.Pod == nil {
			return nil, time.Time{}, ErrGone
		}
		visit, err := kubelet.NewVisit(snapshot)
		if err != nil {
			return nil, time.Time{}, err
		}
		if err := input(visit); err != nil {
			return nil, time.Time{}, err
		}
		out = Outcome{Pod: snapshot.Pod, Waits: visit.Waits()}
		idle := visit.Unchanged && !out.Waits
		left, err := visit.Leave()
		out.Heard, out.memory = left.Heard, left.Memory
		if changed = !idle; idle {
			out.memory = bytes.Clone(v.Memory)
			return nil, time.Time{}, nil
		}
		return left.Memory, left.Wake, err
	})
	switch {
	case errors.Is(err, store.ErrGone):
		return out, ErrGone
	case errors.Is(err, store.ErrBusy):
		return out, ErrBusy
	case err == nil && changed:
		s.Touch(pod)
	}
	return out, err
}

// Serve has the server of a Pod answer a query, so that it notices: its log has the request, and its state changes.
//
// Errors: as for Do.
func (s *Source) Serve(ctx context.Context, pod types.UID, q emulator.Query) (a emulator.Answer, err error) {
	_, err = s.Do(ctx, pod, func(v *Visitor) error {
		a = v.Machine.Serve(q)
		v.Run()
		return nil
	})
	return a, err
}

// Watch has told receive something after each visit to a Pod by this process, until stop is called.
func (s *Source) Watch(pod types.UID) (told <-chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[types.UID]map[chan struct{}]struct{}{}
	}
	if s.waiting[pod] == nil {
		s.waiting[pod] = map[chan struct{}]struct{}{}
	}
	s.waiting[pod][c] = struct{}{}
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting[pod], c)
		if len(s.waiting[pod]) == 0 {
			delete(s.waiting, pod)
		}
	}
}

// Touch tells those who watch a Pod that it has changed otherwise.
func (s *Source) Touch(pod types.UID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.waiting[pod] {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
