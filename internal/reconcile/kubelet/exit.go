package kubelet

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/action"
)

const (
	// killed is the exit code of a process killed by SIGKILL.
	killed = 128 + 9
)

// mostMessages is the maximum total size, in bytes, of the termination messages of a Pod's
// containers.
// Source: kubernetes v1.36 pkg/kubelet/container/runtime.go, MaxPodTerminationMessageLogLength.
const mostMessages = 12 << 10

// end is how and when a container has ended.
type end struct {
	at   time.Time
	code int32

	oom     bool   // it ran out of memory
	message string // its termination message
}

// advance brings every running container up to date.
func (k *sync) advance() {
	for i := range k.containers {
		k.observe(&k.containers[i])
		k.strike(&k.containers[i])
	}
}

// observe ends a running container whose run has ended, and stops one that runs another image than
// it should.
func (k *sync) observe(c *container) {
	r := k.run(c)
	switch {
	case r.ID == "" || r.ID != c.status.ContainerID:
		if c.running() { // the machine was lost, and could not be derived again
			k.terminate(c, &end{at: k.Now, code: killed, message: "the container could not be found in its Pod's machine"})
		}
	case !r.Live && (c.running() || c.status.State.Waiting != nil && !c.failedToStart() && c.status.State.Waiting.Reason != crashLoopBackOff && !c.shows(r.ID)):
		k.setRunning(c)
		k.terminate(c, &end{at: r.Ended, code: r.ExitCode, oom: r.OOM, message: r.Message})
	case r.Live && !r.IsStopping && c.running() && k.redefined(c):
		c.replaced = true
		k.event(c, corev1.EventTypeNormal, "Killing", c.noun()+" "+c.spec.Name+" definition changed, will be restarted")
		k.terminateIn(c, k.now.Time, k.grace())
		k.carryOn()
	}
}

// redefined reports whether a running container should run another image.
func (k *sync) redefined(c *container) bool {
	return c.role != initial && c.role != ephemeral && (c.image == nil || c.image.Reference != c.status.Image)
}

// markReplaced marks the containers that an earlier sync stopped so that they restart with another
// image or other resources.
func (k *sync) markReplaced() {
	for i := range k.containers {
		if c := &k.containers[i]; k.todo.Kind == action.Run && c.running() && k.run(c).IsStopping && k.renewed(c) {
			c.replaced = true
		}
	}
}

// renewed reports whether the next run of the container has another image or other resources than
// the last. Such a run has no back-off.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go, GetBackoffKey.
func (k *sync) renewed(c *container) bool { return k.redefined(c) || k.awaitsRestart(c) }

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

// strike ends a running container if an injected fault requires it: at once or, in a crash loop,
// when its run has lasted long enough. If the run is older than the fault, its time is counted from
// the fault.
func (k *sync) strike(c *container) {
	for _, r := range k.Faults.Pod {
		if c.status == nil || !c.running() || r.Fault.Ended(k.Now) || !r.Covers(c.spec.Name, c.role == regular) {
			continue
		}
		started := c.status.State.Running.StartedAt.Time
		switch r.Action() {
		case fault.Exit, fault.OOM:
			if r.Strikes(started) {
				k.cut(c, r)
			}
		case fault.CrashLoop:
			if started.Before(r.Since()) {
				started = r.Since()
			}
			if at := k.whole(started.Add(r.After)); k.Now.Before(started.Add(r.After)) {
				k.wakeAt(at)
			} else {
				k.cut(c, r)
			}
		}
	}
}

// cut ends a running container as a fault requires.
func (k *sync) cut(c *container, r *fault.PodRule) {
	oom := r.Action() == fault.OOM
	k.runtime.Cut(k.now.Time, c.spec.Name, r.Code)
	k.touched = true
	k.terminate(c, &end{at: k.now.Time, code: r.Code, oom: oom})
	how := fmt.Sprintf("ended with exit code %d", r.Code)
	if oom {
		how = "ran out of memory"
	}
	k.event(c, corev1.EventTypeWarning, fault.ReasonInjected, "Fault "+r.Fault.Name+": container "+c.spec.Name+" "+how)
}
