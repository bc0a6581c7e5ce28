package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// defaultGrace is terminationGracePeriodSeconds of a Pod without one.
const defaultGrace = 30 * time.Second

func (k *sync) grace() time.Duration {
	if s := k.Pod.Spec.TerminationGracePeriodSeconds; s != nil {
		return seconds(*s)
	}
	return defaultGrace
}

// stopForDeletion stops a Pod that is being deleted. Its containers are told to stop when it was asked for; that
// this look is the first since then shows in the generation, which deletion has raised.
func (k *sync) stopForDeletion() {
	grace := k.grace()
	if s := k.Pod.DeletionGracePeriodSeconds; s != nil {
		grace = seconds(*s)
	}
	first := k.status.ObservedGeneration != k.Pod.Generation
	for i := range k.containers {
		if st := k.containers[i].status; st.State.Waiting != nil && st.LastTerminationState.Terminated != nil {
			st.State, k.changed = st.LastTerminationState, true // it will not be restarted, so this is how it ended
		}
	}
	k.stop(k.stopBegin(k.Pod.DeletionTimestamp.Add(-grace)), grace, first)
}

// stopForDeadline stops a Pod that has been active for too long.
// Source: kubernetes v1.36 pkg/kubelet/active_deadline.go; status/status_manager.go, mergePodStatus.
func (k *sync) stopForDeadline(deadline time.Time) {
	k.fail(deadline, k.grace(), verdict{reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline"}, corev1.EventTypeNormal)
}

// fail stops a Pod from begin on, which then has failed for a reason; an event of the type tells why. While its containers stop, the
// phase stays but the Pod is not ready, for the reason that it has failed: the mark of a look after the first.
func (k *sync) fail(begin time.Time, grace time.Duration, why verdict, eventType string) {
	k.setUp()
	first := true
	for i := range k.status.Conditions {
		if cond := &k.status.Conditions[i]; cond.Type == corev1.PodReady && cond.Reason == podFailed {
			first = false
		}
	}
	if first {
		k.podEvent(eventType, why.reason, why.message)
	}
	k.status.Phase = corev1.PodFailed // for the conditions, and to stay unless containers still run
	k.stop(begin, grace, first)
	if k.anyRunning() {
		k.status.Phase = k.Pod.Status.Phase
		return
	}
	k.status.Phase, k.status.Reason, k.status.Message = corev1.PodFailed, why.reason, why.message
	k.changed = true
}

// stop tells the containers to stop at begin: regular and ephemeral ones together, sidecars when those have ended.
// Events are written if this is the first look since begin. When no container runs any more, the Pod has ended.
// Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go, TerminatePod.
func (k *sync) stop(begin time.Time, grace time.Duration, first bool) {
	limit, last := begin.Add(grace), begin
	for _, sidecars := range []bool{false, true} {
		if sidecars && last.Before(limit) {
			begin = last
		} else if sidecars {
			begin = limit // their turn has not come in time
		}
		for i := range k.containers {
			c := &k.containers[i]
			if (c.role == sidecar) != sidecars {
				continue
			}
			if t := c.status.State.Terminated; t != nil && t.FinishedAt.After(last) {
				last = t.FinishedAt.Time
			}
			if k.starting(c) {
				k.setRunning(c)
			}
			if !c.running() {
				continue
			}
			if first {
				k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
			}
			if k.machine != nil {
				k.terminateIn(c, k.now.Time, max(limit.Sub(k.now.Time), 0))
				k.carryOn()
				if t := c.status.State.Terminated; t == nil {
					last = limit // at the latest
				} else if t.FinishedAt.After(last) {
					last = t.FinishedAt.Time
				}
				continue
			}
			e := c.termination(begin, max(limit.Sub(begin), 0))
			if e.at.After(last) {
				last = e.at
			}
			if k.Now.Before(e.at) {
				k.wakeAt(e.at)
			} else {
				k.terminate(c, e)
			}
		}
	}
	if k.anyRunning() {
		k.sumUp(false)
		return
	}
	k.sumUp(true)
	k.closeBooks()
	if k.changed && k.Pod.DeletionTimestamp != nil {
		k.wake = k.Now // for the removal, which is a change of its own
	}
}

// stopSidecars stops them as nothing else runs or will run, and sums the Pod up once they have.
func (k *sync) stopSidecars() {
	var last time.Time
	for i := range k.containers {
		if t := k.containers[i].status.State.Terminated; t != nil && t.FinishedAt.After(last) {
			last = t.FinishedAt.Time
		}
	}
	for i := range k.containers {
		c := &k.containers[i]
		if c.role != sidecar || !c.running() {
			continue
		}
		if k.machine != nil {
			if !k.behind && !k.machine.IsStopping(c.spec.Name) {
				k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
				k.terminateIn(c, k.now.Time, k.grace())
				k.carryOn()
			}
			continue
		}
		e := c.termination(last, k.grace())
		if k.Now.Before(e.at) {
			k.wakeAt(e.at)
			continue
		}
		k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
		k.terminate(c, e)
	}
}

// closeBooks makes the status of a Pod whose containers have all stopped final: containers that should have run
// and did not count as lost, and the phase is Failed unless it is Succeeded.
func (k *sync) closeBooks() {
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
