package kubelet

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/outage"
)

// A node that crashes takes all its containers with it. When it is back, its kubelet finds them
// dead and the sandboxes of Pods gone. It starts every Pod that must run again: in a new sandbox,
// with another address, with its init containers first.

const (
	// lost and lostReason are what a runtime reports for a container whose end it does not know.
	lost       = 255
	lostReason = "Unknown"
)

// reboot is the node's crash that the Pod has been through and that has not been handled yet; false
// if none exists. The Pod's sandbox is older than the boot; its age is that of the condition
// PodReadyToStartContainers.
func (s *Snapshot) reboot() (outage.Outage, bool) {
	o, had := outage.Last(s.Node)
	if !had || o.Fault != outage.Failed || !o.Over() || !o.From.Before(o.To) || s.Now.Before(o.To) {
		return outage.Outage{}, false
	}
	for i := range s.Pod.Status.Conditions {
		if c := &s.Pod.Status.Conditions[i]; c.Type == corev1.PodReadyToStartContainers {
			return o, c.Status == corev1.ConditionTrue && c.LastTransitionTime.Time.Before(o.To)
		}
	}
	return outage.Outage{}, false
}

// NeedsAddress reports whether the snapshot must have an Address: the Pod has none yet, or gets a
// new one.
func (s *Snapshot) NeedsAddress() bool {
	if s.Pod.Spec.HostNetwork {
		return false
	}
	_, rebooted := s.reboot()
	return s.Pod.Status.PodIP == "" || rebooted
}

// afterReboot ends the containers that were running when the node crashed, and prepares the Pod to
// start again.
//
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions and SyncPod; containerd v2.2
// internal/cri/server/restart.go, loadContainer.
func (k *sync) afterReboot(o outage.Outage) {
	if k.carryTo(o.From.Add(instant)); k.behind { // clients may have read its log up to there
		return
	}
	for i := range k.containers {
		c := &k.containers[i]
		if r := k.run(c); r.Live && r.Started.Before(o.To) {
			k.setRunning(c)
			k.runtime.Cut(k.runtime.Now(), c.spec.Name, lost)
			k.touched = true
		}
		if !c.running() || !c.status.State.Running.StartedAt.Time.Before(o.To) {
			continue
		}
		k.terminate(c, &end{at: o.To, code: lost})
		c.status.State.Terminated.Reason = lostReason
	}
	if k.Pod.DeletionTimestamp == nil && k.startsAnew() {
		k.startAnew()
	}
}

// startsAnew reports whether the Pod gets a new sandbox: it may run more than once or has not
// begun, and it is not completed.
func (k *sync) startsAnew() bool {
	begun := false
	for i := range k.containers {
		st := k.containers[i].status
		begun = begun || st.State.Waiting == nil || st.LastTerminationState.Terminated != nil
	}
	return !(begun && k.Pod.Spec.RestartPolicy == corev1.RestartPolicyNever) && !k.completed()
}

// startAnew has the Pod set up again.
func (k *sync) startAnew() {
	k.podEvent(corev1.EventTypeNormal, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.")
	k.fresh, k.changed = true, true
	k.status.PodIP, k.status.PodIPs = "", nil
	k.runtime.Rename() // it gets its new names before the first start
	k.touched = true
	k.awaitStart()
}

// awaitStart shows the containers that run again as waiting. The others are done.
func (k *sync) awaitStart() {
	for i := range k.containers {
		c := &k.containers[i]
		t := c.status.State.Terminated
		if c.role == ephemeral || t == nil && c.status.LastTerminationState.Terminated == nil || c.role == regular && t != nil && !k.restarts(c, t.ExitCode) {
			continue
		}
		if t != nil {
			c.status.LastTerminationState = c.status.State
		}
		reason := containerCreating
		if len(k.Pod.Spec.InitContainers) > 0 {
			reason = podInitializing
		}
		c.status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
		c.status.ContainerID = ""
	}
}

// podInitializing is the reason of a container that waits while the init containers run.
const podInitializing = "PodInitializing"

// containerCreating is the reason of one that waits in a Pod without init containers.
const containerCreating = "ContainerCreating"

// initializesAgain reports whether the container has run before but, in a new sandbox, waits for
// the init containers.
func (k *sync) initializesAgain(c *container) bool {
	w := c.status.State.Waiting
	return w != nil && w.Reason == podInitializing && c.status.LastTerminationState.Terminated != nil && !k.starting(c)
}
