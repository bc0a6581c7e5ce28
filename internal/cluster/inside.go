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

// lookSteps is how many steps a copy of a Pod's machine runs at most before it says whether a port takes connections.
const lookSteps = 20_000

// maxVisits is how many requests of a replica may be in Pods at a time. One that waits for its Pod's lock holds a connection to the
// database; others need those too.
const maxVisits = 4

// inside is how Pods are reached from outside the cluster.
type inside struct {
	parts
	places chan struct{} // one for each visit of a request to a Pod
}

// Serve implements kube.Inside: requests are visits, so that the Pod notices. Whether a port takes a connection is asked of a copy of its
// machine, as nothing in the Pod tells.
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
	until := i.clock.Now().Truncate(time.Second).Add(10 * time.Millisecond) // which the kubelet counts as the same time
	for steps := int64(lookSteps); steps > 0; m.Take() {
		stop := m.Run(until, steps)
		if stop.Kind != emulator.StopNews {
			break
		}
		steps -= max(stop.Steps, 1)
	}
	return m.Serve(q), nil
}
