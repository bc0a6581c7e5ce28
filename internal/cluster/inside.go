package cluster

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
)

// servedSteps is how many steps a copy of a Pod's machine runs at most before it answers a request.
const servedSteps = 20_000

// inside answers requests to Pods from copies of their machines.
// Differs: a request leaves no trace in the Pod.
type inside struct{ parts }

// Serve implements kube.Inside.
func (i inside) Serve(ctx context.Context, v *object.Version, q emulator.Query) (emulator.Answer, error) {
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
	for steps := int64(servedSteps); steps > 0; m.Take() {
		stop := m.Run(until, steps)
		if stop.Kind != emulator.StopNews {
			break
		}
		steps -= max(stop.Steps, 1)
	}
	return m.Serve(q), nil
}
