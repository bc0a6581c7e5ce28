package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// stopForDeletion stops a Pod that is being deleted. That this sync is the first since then shows in the generation, which
// deletion has raised.
func (k *sync) stopForDeletion() (stopped bool) {
	for i := range k.containers {
		if st := k.containers[i].status; st.State.Waiting != nil && st.LastTerminationState.Terminated != nil {
			st.State, k.changed = st.LastTerminationState, true // it will not be restarted, so this is how it ended
		}
	}
	return k.stop(k.status.ObservedGeneration != k.Pod.Generation)
}

// stopAsFailed stops a Pod that then has failed for a reason. While its containers stop, the phase stays but the Pod is not ready,
// for the reason that it has failed: the mark of a sync after the first.
func (k *sync) stopAsFailed() (stopped bool) {
	if k.todo.kind == actEvict {
		k.disrupt()
	}
	k.setUp()
	first := true
	for i := range k.status.Conditions {
		if cond := &k.status.Conditions[i]; cond.Type == corev1.PodReady && cond.Reason == podFailed {
			first = false
		}
	}
	if first {
		why, eventType := k.todo.cause()
		k.podEvent(eventType, why.reason, why.message)
	}
	return k.stop(first)
}

// stop tells the containers to stop: regular and ephemeral ones together, sidecars when those have ended or the grace is over.
// Events are written if this is the first sync since. When no container runs any more, the Pod has stopped.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainersWithSyncResult;
// pkg/kubelet/kuberuntime/kuberuntime_termination_order.go.
func (k *sync) stop(first bool) (stopped bool) {
	limit := k.todo.begin.Add(k.todo.grace)
	for _, sidecars := range []bool{false, true} {
		begin := k.todo.begin
		if sidecars {
			begin = k.turnOfSidecars()
		}
		for i := range k.containers {
			c := &k.containers[i]
			if (c.role == sidecar) != sidecars {
				continue
			}
			if k.starting(c) {
				k.setRunning(c)
			}
			if first && (c.running() || k.run(c).WasStopped) {
				k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
			}
			switch {
			case !c.running():
			case k.Now.Before(begin):
				k.wakeAt(begin)
			default:
				k.terminateIn(c, begin, limit.Sub(begin))
				k.carryOn()
			}
		}
	}
	return !k.anyRunning()
}

// turnOfSidecars is when the sidecars of a Pod that stops are told to: when the last of the others has ended, or when the grace is
// over.
func (k *sync) turnOfSidecars() time.Time {
	turn, limit := k.todo.begin, k.todo.begin.Add(k.todo.grace)
	for i := range k.containers {
		c := &k.containers[i]
		t := c.status.State.Terminated
		switch {
		case c.role == sidecar:
		case c.running() || t != nil && t.FinishedAt.After(limit):
			return limit
		case t != nil && t.FinishedAt.After(turn):
			turn = t.FinishedAt.Time
		}
	}
	return turn
}

// stopOthers stops sidecars and ephemeral containers as nothing else runs or will run, for which they get the Pod's grace.
func (k *sync) stopOthers() {
	last := k.lastEnd()
	for i := range k.containers {
		c := &k.containers[i]
		if c.role != sidecar && c.role != ephemeral {
			continue
		}
		if c.running() && k.terminateIn(c, last, k.grace()) || k.run(c).WasStopped {
			k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
		}
		k.carryOn()
	}
}

// lastEnd is when the last container has ended that has; zero if none has.
func (k *sync) lastEnd() (last time.Time) {
	for i := range k.containers {
		if t := k.containers[i].status.State.Terminated; t != nil && t.FinishedAt.After(last) {
			last = t.FinishedAt.Time
		}
	}
	return last
}

// settle makes the status of a Pod whose containers have all stopped final: containers that should have run
// and did not count as lost, and the phase is Failed unless it is Succeeded.
func (k *sync) settle() {
	initialized := k.wasInitialized()
	tried := 0 // how many init containers are known to have been tried; the first always counts
	for i := range k.containers {
		if c := &k.containers[i]; (c.role == initial || c.role == sidecar) &&
			(c.status.State.Waiting == nil || c.status.LastTerminationState.Terminated != nil) {
			tried = i
		}
	}
	for i := range k.containers {
		c := &k.containers[i]
		lost := c.role == regular && initialized || (c.role == initial || c.role == sidecar) && i <= tried
		if !lost || c.status.State.Terminated != nil {
			continue
		}
		c.status.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			Reason:   "ContainerStatusUnknown",
			Message:  "The container could not be located when the pod was terminated",
			ExitCode: killed,
		}}
		k.changed = true
	}
	if !ended(k.status.Phase) {
		k.status.Phase = corev1.PodFailed
		k.changed = true
	}
}

// wasInitialized says whether regular containers have been started or could have been.
func (k *sync) wasInitialized() bool {
	var last *container
	for i := range k.containers {
		if c := &k.containers[i]; c.role == initial || c.role == sidecar {
			last = c
		}
	}
	if last == nil || k.anyRegularStarted() || last.succeeded() {
		return true
	}
	t := last.status.LastTerminationState.Terminated
	return last.role == initial && t != nil && t.ExitCode == 0
}

func (k *sync) anyRunning() bool {
	for i := range k.containers {
		if k.containers[i].running() || k.starting(&k.containers[i]) {
			return true
		}
	}
	return false
}

// completed says whether no regular container runs or will run again, or the Pod could not be initialized.
func (k *sync) completed() bool {
	for i := range k.containers {
		c := &k.containers[i]
		t := c.status.State.Terminated
		switch c.role {
		case initial:
			if t != nil && t.ExitCode != 0 && !k.restarts(c, t.ExitCode) {
				return true
			}
		case regular:
			if t == nil || k.restarts(c, t.ExitCode) {
				return false
			}
		case sidecar, ephemeral: // nobody waits for them
		}
	}
	return true
}
