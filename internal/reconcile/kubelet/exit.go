package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// killed is the exit code of a process that KILL ended.
	killed = 128 + 9

	// shortestGrace is what a container gets between TERM and KILL at the least.
	// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, minimumGracePeriodInSeconds.
	shortestGrace = 2 * time.Second
)

// mostMessages is how many bytes the last words of all containers of a Pod may have.
// Source: kubernetes v1.36 pkg/kubelet/container/runtime.go, MaxPodTerminationMessageLogLength.
const mostMessages = 12 << 10

// end is how and when a running container ends, or has.
type end struct {
	at   time.Time
	code int32

	oom     bool   // it took too much memory
	message string // its last words

	// unhealthy is the message of the Unhealthy event and kill that of the Killing event; empty for none.
	unhealthy, kill string
}

// before says whether the end comes earlier than the other, of which nil is never.
func (e *end) before(other *end) bool { return e != nil && (other == nil || e.at.Before(other.at)) }

// advance brings every running container up to now.
func (k *sync) advance() {
	for i := range k.containers {
		k.observe(&k.containers[i])
		k.strike(&k.containers[i])
	}
}

// observe ends a running container whose time has come: its program is done, a probe has failed for too long, or
// it runs another image than it should.
func (k *sync) observe(c *container) {
	if k.machine != nil {
		k.observeRun(c)
		return
	}
	if !c.running() {
		return
	}
	e := k.ending(c)
	if e == nil {
		return
	}
	if k.Now.Before(e.at) {
		k.wakeAt(e.at)
		return
	}
	if e.unhealthy != "" {
		k.event(c, corev1.EventTypeWarning, "Unhealthy", e.unhealthy)
	}
	if e.kill != "" {
		k.event(c, corev1.EventTypeNormal, "Killing", e.kill)
	}
	k.terminate(c, e)
}

// observeRun ends a running container whose run in the machine has ended, and tells one to stop that runs another image than it
// should.
func (k *sync) observeRun(c *container) {
	r := k.run(c)
	switch {
	case r == nil || r.ID != c.status.ContainerID:
		if c.running() { // the machine was lost, and could not be made again
			k.terminate(c, &end{at: k.Now, code: killed, message: "the container could not be found in its Pod's machine"})
		}
	case r.Live == nil && (c.running() || c.status.State.Waiting != nil && !c.failedToStart() && c.status.State.Waiting.Reason != crashLoopBackOff):
		k.setRunning(c)
		k.terminate(c, &end{at: r.Ended, code: r.ExitCode, oom: r.OOM, message: r.Message})
	case r.Live != nil && r.Live.Stop == nil && c.running() && k.redefined(c):
		k.event(c, corev1.EventTypeNormal, "Killing", c.noun()+" "+c.spec.Name+" definition changed, will be restarted")
		k.terminateIn(c, k.now.Time, k.grace())
		k.carryOn()
	}
}

// redefined says whether a running container should run another image.
func (k *sync) redefined(c *container) bool {
	return c.role != initial && c.role != ephemeral && (c.image == nil || c.image.Reference != c.status.Image)
}

// ending is how a running container will end if it is left alone; nil for never.
func (k *sync) ending(c *container) *end {
	if k.redefined(c) {
		return &end{at: k.now.Time, code: c.timeline.TermCode,
			kill: c.noun() + " " + c.spec.Name + " definition changed, will be restarted"}
	}
	var e *end
	if t := c.timeline; !t.Forever {
		e = &end{at: c.status.State.Running.StartedAt.Add(t.ExitAfter), code: t.ExitCode}
	}
	if failed := k.probedToDeath(c); failed.before(e) {
		e = failed
	}
	return e
}

// noun is what messages call the container.
func (c *container) noun() string {
	if c.role == initial || c.role == sidecar {
		return "Init container"
	}
	return "Container"
}

// termination is the end of a running container that is told to stop at begin and has grace to do so. Its preStop
// hook runs first and shares the grace; a hook that outlasts it leaves shortestGrace for the process.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer.
func (c *container) termination(begin time.Time, grace time.Duration) *end {
	started := c.status.State.Running.StartedAt.Time
	if begin.Before(started) {
		begin = started
	}
	hook := min(c.preStop(), grace)
	e := &end{at: begin.Add(hook + c.profile.StopTime), code: c.timeline.TermCode}
	if c.timeline.IgnoresTerm || c.profile.Replaced && c.profile.StopTime > max(grace-hook, shortestGrace) {
		e.at, e.code = begin.Add(hook+max(grace-hook, shortestGrace)), killed
	}
	if natural := started.Add(c.timeline.ExitAfter); !c.timeline.Forever && natural.Before(e.at) {
		e.at, e.code = natural, c.timeline.ExitCode
	}
	return e
}

// preStop is how long the container's preStop hook takes, 0 without one. Only sleeping takes time.
func (c *container) preStop() time.Duration {
	if c.spec.Lifecycle == nil || c.spec.Lifecycle.PreStop == nil {
		return 0
	}
	switch hook := c.spec.Lifecycle.PreStop; {
	case hook.Sleep != nil:
		return seconds(hook.Sleep.Seconds)
	case hook.Exec != nil && c.image != nil:
		t := c.image.Timeline(&corev1.Container{Command: hook.Exec.Command})
		switch {
		case t.Understood && t.Forever:
			return 1<<63 - 1
		case t.Understood:
			return t.ExitAfter
		}
	}
	return 0
}

// terminate shows the container as ended.
func (k *sync) terminate(c *container, e *end) {
	st, reason := c.status, "Completed"
	switch {
	case e.oom:
		reason = "OOMKilled"
	case e.code != 0:
		reason = "Error"
	}
	started := st.State.Running.StartedAt
	finished := metav1.Time{Time: e.at.Truncate(time.Second)}
	if finished.Before(&started) {
		finished = started
	}
	st.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: e.code, Reason: reason, Message: e.message[:min(len(e.message), mostMessages/len(k.containers))],
		StartedAt: started, FinishedAt: finished, ContainerID: st.ContainerID,
	}}
	k.changed = true
}
