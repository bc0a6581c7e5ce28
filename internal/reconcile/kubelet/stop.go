package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
)

// stopForDeletion stops a Pod that is being deleted. The generation, which the deletion has raised,
// shows whether this is the first sync since then.
func (k *sync) stopForDeletion() (stopped bool) {
	for i := range k.containers {
		if st := k.containers[i].status; st.State.Waiting != nil && st.LastTerminationState.Terminated != nil {
			st.State, k.changed = st.LastTerminationState, true // it will not be restarted, so this is how it ended
		}
	}
	return k.stop(k.status.ObservedGeneration != k.Pod.Generation)
}

// stopAsFailed stops a Pod that then has failed for a reason. While its containers stop, the phase
// stays, but the Pod is not ready, with the reason PodFailed. That condition marks a sync after the
// first.
func (k *sync) stopAsFailed() (stopped bool) {
	if k.todo.Kind == action.Evict {
		if pod := action.Disrupt(k.Pod, k.now); pod != k.Pod {
			k.Pod, k.changed = pod, true
		}
	}
	k.setUp()
	first := true
	for i := range k.status.Conditions {
		if cond := &k.status.Conditions[i]; cond.Type == corev1.PodReady && cond.Reason == podFailed {
			first = false
		}
	}
	if first {
		reason, message, eventType := k.todo.Cause()
		k.podEvent(eventType, reason, message)
	}
	return k.stop(first)
}

// killDelay is how long after the end of its grace period a busy machine may lag behind. Then the
// containers are killed in the state that they have reached.
const killDelay = 30 * time.Second

// abandon kills the containers of a Pod whose machine still lags behind after killDelay, because
// too many other Pods compute as well. What they would still compute up to that end is dropped:
// computing it for a thousand such Pods would delay their deletion by minutes. On a real node, too,
// the processes would get little CPU time before they are killed.
func (k *sync) abandon() {
	limit := k.todo.Begin.Add(k.todo.Grace)
	if k.todo.Kind != action.Stop || k.memory.Share(k.Now) > 0 || k.Now.Before(limit.Add(killDelay)) || !k.runtime.Now().Before(limit) {
		return
	}
	for i := range k.containers {
		c := &k.containers[i]
		if !k.run(c).Live {
			continue
		}
		k.setRunning(c)
		k.runtime.Cut(limit, c.spec.Name, killed)
		k.terminate(c, &end{at: limit, code: killed})
		k.touched = true
	}
}

// stop tells the containers to stop. The preStop hooks of all run at once. Then regular and
// ephemeral containers end together. Each sidecar ends when those and the sidecars after it have
// ended, or the grace period is over. Events are emitted if this is the first sync since then. When
// no container runs any more, the Pod has stopped.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainersWithSyncResult and killContainer;
// pkg/kubelet/kuberuntime/kuberuntime_termination_order.go.
func (k *sync) stop(first bool) (stopped bool) {
	for i := range k.containers {
		c := &k.containers[i]
		if k.starting(c) {
			k.setRunning(c)
		}
		if c.role == sidecar && c.running() && k.prepareIn(c, k.todo.Begin, k.todo.Grace) {
			k.carryOn()
		}
	}
	for _, i := range k.inTurn() {
		c := &k.containers[i]
		if first && (c.running() || k.run(c).WasStopped || c.endedAfter(k.todo.Begin)) {
			k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
		}
		switch {
		case !c.running():
		case c.role == sidecar:
			k.stopInTurn(i, k.todo.Begin, k.todo.Grace)
			k.carryOn()
		default:
			k.terminateIn(c, k.todo.Begin, k.todo.Grace)
			k.carryOn()
		}
	}
	return !k.anyRunning()
}

// endedAfter reports whether the container has ended by itself after a time: it ran when it was told
// to stop, but its machine was behind.
func (c *container) endedAfter(at time.Time) bool {
	t := c.status.State.Terminated
	return t != nil && t.FinishedAt.After(at)
}

// inTurn are the containers in the order in which they are stopped: sidecars come last, in the
// reverse order of their start.
func (k *sync) inTurn() (order []int) {
	for i := range k.containers {
		if k.containers[i].role != sidecar {
			order = append(order, i)
		}
	}
	for i := range slices.Backward(k.containers) {
		if k.containers[i].role == sidecar {
			order = append(order, i)
		}
	}
	return order
}

// stopInTurn stops a sidecar of a Pod that is stopping, if it is its turn, and reports whether that
// changed anything. Its preStop hook runs at once.
func (k *sync) stopInTurn(i int, begin time.Time, grace time.Duration) (changed bool) {
	k.prepareIn(&k.containers[i], begin, grace)
	limit := begin.Add(grace)
	turn := k.turnOf(i, begin, limit)
	if k.Now.Before(turn) {
		k.wakeAt(turn)
		return false
	}
	return k.terminateIn(&k.containers[i], turn, limit.Sub(turn))
}

// turnOf is when a sidecar of a Pod that is stopping must stop: when the last of the containers
// that it outlives has ended, or when the grace period is over.
func (k *sync) turnOf(of int, begin, limit time.Time) time.Time {
	turn := begin
	for i := range k.containers {
		c := &k.containers[i]
		t := c.status.State.Terminated
		switch {
		case c.role == sidecar && i <= of:
		case c.running() || t != nil && t.FinishedAt.After(limit):
			return limit
		case t != nil && t.FinishedAt.After(turn):
			turn = t.FinishedAt.Time
		}
	}
	return turn
}

// stopOthers stops sidecars and ephemeral containers once nothing else runs or will run. They get
// the Pod's grace period.
func (k *sync) stopOthers() {
	begin := k.othersEnd()
	for i := range k.containers {
		if c := &k.containers[i]; c.role == sidecar && c.running() && k.prepareIn(c, begin, k.grace()) {
			k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
			k.carryOn()
		}
	}
	for _, i := range k.inTurn() {
		c := &k.containers[i]
		changed, told := false, k.run(c).IsStopping
		switch {
		case c.role != sidecar && c.role != ephemeral:
			continue
		case !c.running():
		case c.role == sidecar:
			changed = k.stopInTurn(i, begin, k.grace())
		default:
			changed = k.terminateIn(c, begin, k.grace())
		}
		if changed && !told || k.run(c).WasStopped {
			k.event(c, corev1.EventTypeNormal, "Killing", "Stopping container "+c.spec.Name)
		}
		k.carryOn()
	}
}

// othersEnd is when the last container ended that is neither a sidecar nor ephemeral; zero if none
// has.
func (k *sync) othersEnd() (last time.Time) {
	for i := range k.containers {
		c := &k.containers[i]
		if t := c.status.State.Terminated; t != nil && c.role != sidecar && c.role != ephemeral && t.FinishedAt.After(last) {
			last = t.FinishedAt.Time
		}
	}
	return last
}

// settle makes the status of a Pod final once all its containers have stopped: containers that
// should have run and did not count as lost, and the phase is Failed unless it is Succeeded.
func (k *sync) settle() {
	initialized := k.wasInitialized()
	tried := 0 // index of the last init container known to have been tried; the first always counts
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

// wasInitialized reports whether regular containers have been started or could have been.
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

// completed reports whether no regular container runs or will run again, or the Pod could not be
// initialized.
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
		case sidecar, ephemeral: // the Pod does not wait for them
		}
	}
	return true
}
