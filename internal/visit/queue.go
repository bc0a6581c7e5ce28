package visit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/store"
)

// Do visits a Pod: input gives the machine its inputs and runs it. If input fails, nothing has
// happened. Inputs that arrive during a visit come together in the next visit, in order.
//
// Errors: ErrGone, ErrBusy, ErrNotRunning, input's, ctx's before it has begun, emulator.ErrSize if
// the machine would be too large, and the database's.
func (s *Source) Do(ctx context.Context, pod types.UID, input func(v *Visitor) error) (Outcome, error) {
	return s.do(ctx, &turn{pod: pod, input: input, done: make(chan struct{})})
}

// turn is an input that waits for a visit, and then its result.
type turn struct {
	pod   types.UID
	input func(*Visitor) error
	steps int64 // that it may run whatever is left of the Pod's share; 0 for only what is left

	done    chan struct{} // closed when the rest is set
	visitor *Visitor
	out     Outcome
	err     error
}

// queue are the inputs that wait for the next visit to a Pod during the current one.
type queue struct{ turns []*turn }

// do adds an input to the next visit to its Pod, and waits for the result.
func (s *Source) do(ctx context.Context, t *turn) (Outcome, error) {
	s.once.Do(func() { s.places = make(chan struct{}, visitsAtOnce) })
	s.mu.Lock()
	if s.queues == nil {
		s.queues = map[types.UID]*queue{}
	}
	q := s.queues[t.pod]
	if q == nil {
		q = &queue{}
		s.queues[t.pod] = q
		go s.work(context.WithoutCancel(ctx), t.pod, q)
	}
	q.turns = append(q.turns, t)
	s.mu.Unlock()
	select {
	case <-t.done:
	case <-ctx.Done():
		if s.withdraw(q, t) {
			return Outcome{}, ctx.Err()
		}
		<-t.done // its visit is under way, and bounded
	}
	return t.out, t.err
}

// withdraw takes an input back, and reports whether its visit has not begun.
func (s *Source) withdraw(q *queue, t *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(q.turns, t)
	if i >= 0 {
		q.turns = slices.Delete(q.turns, i, i+1)
	}
	return i >= 0
}

// work visits a Pod as long as there are inputs for it.
func (s *Source) work(ctx context.Context, pod types.UID, q *queue) {
	for {
		s.places <- struct{}{}
		s.mu.Lock()
		n := min(len(q.turns), inputsAtOnce)
		turns := slices.Clone(q.turns[:n])
		if q.turns = slices.Delete(q.turns, 0, n); n == 0 {
			delete(s.queues, pod)
		}
		s.mu.Unlock()
		if n > 0 {
			s.visit(ctx, pod, turns)
		}
		if <-s.places; n == 0 {
			return
		}
	}
}

// visit delivers inputs to a Pod in one visit.
func (s *Source) visit(ctx context.Context, pod types.UID, turns []*turn) {
	err := contain.Call(func() error {
		return s.Store.Visit(ctx, s.Kubelet, pod, func(v store.Visited) (store.Left, error) { return s.bring(ctx, pod, turns, v) })
	})
	switch {
	case errors.Is(err, store.ErrGone):
		err = ErrGone
	case errors.Is(err, store.ErrBusy):
		err = ErrBusy
	}
	for _, t := range turns {
		if t.err == nil && !errors.Is(err, errNobody) {
			t.err = err
		}
		close(t.done)
	}
}

// errNobody says that all inputs of a visit have failed, each with an error of its own.
var errNobody = errors.New("no input")

// bring is a visit under the Pod's lock.
func (s *Source) bring(ctx context.Context, pod types.UID, turns []*turn, found store.Visited) (store.Left, error) {
	bounded, cancel := context.WithTimeout(ctx, mirrorWait)
	defer cancel()
	if err := s.WaitFor(bounded, found.Revision); err != nil {
		return store.Left{}, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	snapshot := s.Snapshot(pod, found.Memory, found.Now)
	if snapshot.Pod == nil {
		return store.Left{}, ErrGone
	}
	for _, t := range turns {
		snapshot.Steps = max(snapshot.Steps, t.steps)
	}
	visit, err := kubelet.NewVisit(snapshot)
	if err != nil {
		return store.Left{}, err
	}
	return leave(visit, turns, found.Sessions)
}

// leave gives the machine all inputs, and returns what to store.
func leave(visit *kubelet.Visit, turns []*turn, known []int) (left store.Left, err error) {
	unchanged, failed := true, 0
	var listening []int
	for _, t := range turns {
		t.visitor = &Visitor{Visit: visit, Known: known}
		if t.err = t.input(t.visitor); t.err != nil {
			failed++
			continue
		}
		t.out = Outcome{Pod: visit.Pod(), Waits: visit.Waits(), Spent: visit.Spent()}
		unchanged = unchanged && t.visitor.Unchanged
		left.Begun, left.Over = append(left.Begun, t.visitor.begun...), append(left.Over, t.visitor.over...)
		known = append(slices.Clip(known), t.visitor.begun...)
		if t.visitor.listens != 0 {
			listening = append(listening, t.visitor.listens)
		}
	}
	if failed == len(turns) {
		return store.Left{}, errNobody
	}
	waits := visit.Waits()
	l, err := visit.Leave(listening...)
	if err != nil {
		return store.Left{}, err
	}
	for _, t := range turns {
		if t.visitor.listens != 0 && t.err == nil {
			t.out.Heard = l.Heard[t.visitor.listens]
		}
	}
	if !unchanged || waits {
		left.Memory, left.Wake, left.Audible = l.Memory, l.Wake, l.Audible
	}
	return left, nil
}
