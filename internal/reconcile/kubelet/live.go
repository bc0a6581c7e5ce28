package kubelet

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/kubelet/allocation"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/namefile"
)

// live advances a Pod that must run.
func (k *sync) live() {
	if !k.setUp() {
		return
	}
	k.advance()
	if k.restartAll() {
		return
	}
	k.resize()
	k.keepAllUp()
	if k.startEphemeral() {
		k.keepAllUp() // they may have ended others
	}
	if k.restartAll() {
		return // for a container that has ended at once
	}
	if k.completed() {
		k.stopOthers()
	}
	k.endResize()
}

// keepAllUp starts the containers that should run and do not.
func (k *sync) keepAllUp() {
	if k.completed() || !k.initialize() {
		return
	}
	for i := range k.containers {
		c := &k.containers[i]
		if c.role == regular {
			k.keepUp(c)
		}
		if k.starting(c) {
			break // the next does not start before this one's hook has ended
		}
	}
}

// startEphemeral starts the ephemeral containers that have not run yet, and reports whether there
// were any.
func (k *sync) startEphemeral() (any bool) {
	for i := range k.containers {
		c := &k.containers[i]
		if c.role == ephemeral && c.status.State.Waiting != nil && !k.starting(c) && !k.behind && !k.completed() && k.findTarget(c) {
			k.start(c)
			any = true
		}
	}
	return any
}

// findTarget reports whether the target of an ephemeral container runs, the container whose
// processes it sees. The target may start later.
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go, getTargetID.
func (k *sync) findTarget(c *container) bool {
	if c.target == "" {
		return true
	}
	if t := k.named(c.target); t != nil && t.running() {
		return true
	}
	message := "unable to find target container " + c.target
	if k.wait(c, createContainerConfigError, message) {
		k.event(c, corev1.EventTypeWarning, "Failed", "Error: "+message)
	}
	return false
}

// setUp sets the Pod's start time, addresses, resources and volumes, and reports whether containers
// can run.
func (k *sync) setUp() bool {
	st := &k.status
	if st.StartTime == nil {
		start := k.now
		st.StartTime = &start
		k.changed = true
	}
	if st.HostIP == "" {
		if st.HostIP = namefile.NodeAddress(k.Node); st.HostIP != "" {
			st.HostIPs = []corev1.HostIP{{IP: st.HostIP}}
			k.changed = true
		}
	}
	if st.Resources == nil {
		st.Resources, st.AllocatedResources = allocation.OfPod(k.Pod)
		k.changed = true
	}
	if (st.PodIP == "" || k.runtime.HasFiles()) && !k.mountVolumes() && st.PodIP == "" {
		return false // mounted volumes stay when their sources are deleted
	}
	if st.PodIP == "" {
		if st.PodIP = k.Address; k.Pod.Spec.HostNetwork {
			st.PodIP = st.HostIP
		}
		if st.PodIP != "" {
			st.PodIPs = []corev1.PodIP{{IP: st.PodIP}}
			k.changed = true
			k.tellLimits()
		}
	}
	return k.identify()
}

// tellLimits emits events, when the Pod's network is created, for the limits that its resolv.conf
// exceeded.
func (k *sync) tellLimits() {
	if k.Pod.Spec.DNSConfig == nil {
		return // without it no limit is exceeded
	}
	for _, message := range namefile.Exceeded(k.Pod) {
		k.podEvent(corev1.EventTypeWarning, "DNSConfigForming", message)
	}
}
