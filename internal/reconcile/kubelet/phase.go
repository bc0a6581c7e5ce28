package kubelet

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
)

// phase derives the Pod's phase from its containers. stopped is true if none of them will be
// started again, regardless of the restart policy. The caller sets a final phase only when nothing
// runs any more.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, getPhase.
func (k *sync) phase(stopped bool) corev1.PodPhase {
	uninitialized, waiting, running := false, false, false
	failed, restarting := false, false
	before := slices.ContainsFunc(k.containers, func(c container) bool { return k.regularStarted(&c) && !k.startsOver(&c) })
	for i := range k.containers {
		c := &k.containers[i]
		last := c.status.State.Terminated
		if last == nil {
			last = c.status.LastTerminationState.Terminated
		}
		if k.startsOver(c) {
			last = nil
		}
		switch c.role {
		case initial:
			switch {
			case c.running() || last == nil:
				uninitialized = uninitialized || !before // the Pod is initialized even if the container runs again
			case last.ExitCode != 0 && !k.restarts(c, last.ExitCode):
				return corev1.PodFailed
			}
		case sidecar:
			switch {
			case c.running():
				running = true
				if !before && (c.status.Started == nil || !*c.status.Started) {
					uninitialized = true
				}
			case last == nil:
				waiting = true
			}
		case regular:
			switch {
			case c.running():
				running = true
			case last == nil:
				waiting = true
			default:
				failed = failed || last.ExitCode != 0
				restarting = restarting || k.restarts(c, last.ExitCode)
			}
		case ephemeral: // it does not affect the phase
		}
	}
	switch {
	case uninitialized || waiting:
		return corev1.PodPending
	case running || restarting && !stopped:
		return corev1.PodRunning
	case failed:
		return corev1.PodFailed
	default:
		return corev1.PodSucceeded
	}
}

// deriveStatus derives everything in the status that follows from the current state of the
// containers. stopped is as for phase; a phase that is already final stays.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, generateAPIPodStatus; prober/prober_manager.go,
// UpdatePodStatus.
func (k *sync) deriveStatus(stopped bool) {
	for i := range k.containers {
		k.deriveContainer(&k.containers[i])
	}
	if p := k.phase(stopped); !ended(k.status.Phase) && !(ended(p) && k.anyRunning()) {
		k.setPhase(p)
	}
	k.setConditions(stopped || ended(k.status.Phase) && !k.anyRunning())
	if k.status.ObservedGeneration != k.Pod.Generation && !(k.behind && k.todo.Kind == action.Stop) { // its containers have not been told yet
		k.status.ObservedGeneration = k.Pod.Generation
		k.changed = true
	}
}

func (k *sync) setPhase(p corev1.PodPhase) {
	if k.status.Phase != p {
		k.status.Phase, k.status.Reason, k.status.Message = p, "", ""
		k.changed = true
	}
}

// deriveContainer sets whether the container is started and ready.
func (k *sync) deriveContainer(c *container) {
	if c.role == ephemeral {
		return // these are neither
	}
	started := c.running() && k.started(c)
	ready := started && c.role != initial && k.ready(c) || c.role == initial && c.succeeded()
	st := c.status
	if st.Started == nil || *st.Started != started {
		st.Started = new(started)
		k.changed = true
	}
	if st.Ready != ready {
		st.Ready = ready
		k.changed = true
	}
}
