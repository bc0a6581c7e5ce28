package cluster

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/visit"
)

// lookSteps bounds how many steps a copy of a Pod's machine runs before it answers whether a port
// takes connections.
const lookSteps = 20_000

// maxVisits is how many requests of a replica may be in Pods at a time. One that waits for its
// Pod's lock holds a database connection, and other work needs those too.
const maxVisits = 4

// inside lets clients outside of the cluster reach Pods.
type inside struct {
	parts
	places chan struct{} // one for each visit of a request to a Pod
}

// Serve implements connect.Inside: requests are visits, so that the Pod sees them. Whether a port
// takes connections is asked of a copy of its machine, because nothing in the Pod shows it.
func (i inside) Serve(ctx context.Context, v *object.Version, q emulator.Query) (emulator.Answer, error) {
	if q.Kind == emulator.QueryTCP {
		return i.look(ctx, v, q)
	}
	a, err := i.visits.Serve(ctx, v.UID, q, i.enter)
	if errors.Is(err, visit.ErrGone) || errors.Is(err, visit.ErrNotRunning) {
		return emulator.Answer{Outcome: emulator.OutcomeRefused}, nil
	}
	return a, err
}

// enter takes a place until leave is called.
func (i inside) enter(ctx context.Context) (leave func(), err error) {
	select {
	case i.places <- struct{}{}:
		return func() { <-i.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (i inside) look(ctx context.Context, v *object.Version, q emulator.Query) (emulator.Answer, error) {
	pod, ok := v.Object().(*corev1.Pod)
	if !ok || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return emulator.Answer{Outcome: emulator.OutcomeRefused}, nil
	}
	memory, err := i.Store.Memory(ctx, v.UID)
	if err != nil {
		return emulator.Answer{}, err
	}
	m, err := i.machine(pod, memory)
	if err != nil || m == nil {
		return emulator.Answer{Outcome: emulator.OutcomeRefused}, err
	}
	until := i.clock.Now().Truncate(time.Second).Add(10 * time.Millisecond) // the kubelet counts it as the same time
	for steps := int64(lookSteps); steps > 0; m.Take() {
		stop := m.Run(until, steps)
		if stop.Kind != emulator.StopNews {
			break
		}
		steps -= max(stop.Steps, 1)
	}
	return m.Serve(q), nil
}
