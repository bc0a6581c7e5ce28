package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/allocation"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// retryDelay is the longest time before a node judges again whether it has room for a resize.
// Source: kubernetes v1.36 pkg/kubelet/allocation/allocation_manager.go, retryDelay.
const retryDelay = 3 * time.Minute

// resizeConditions are the conditions about a resize; nil if missing.
type resizeConditions struct{ pending, progress *corev1.PodCondition }

func resizeConditionsOf(pod *corev1.Pod) (r resizeConditions) {
	for i := range pod.Status.Conditions {
		switch c := &pod.Status.Conditions[i]; c.Type {
		case corev1.PodResizePending:
			r.pending = c
		case corev1.PodResizeInProgress:
			r.progress = c
		}
	}
	return r
}

// resize gives the containers the resources that the Pod now requests, unless the node has no room
// for them. Containers that must be restarted get theirs when they are.
//
// Source: kubernetes v1.36 pkg/kubelet/allocation/allocation_manager.go, handlePodResourcesResize; pkg/kubelet/kubelet.go, SyncPod;
// pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodResizeAction.
// Differs: a resize that restarts nothing is never shown in progress, because it takes no time. A
// memory limit may fall below current usage; the next process that allocates memory is then killed.
func (k *sync) resize() {
	pod := k.podNow()
	pod.Status.Conditions = nil
	if k.resizing.progress != nil && k.resizing.progress.ObservedGeneration == k.Pod.Generation {
		pod.Status.Conditions = []corev1.PodCondition{*k.resizing.progress}
	}
	switch {
	case !podstate.AwaitsResize(pod):
		k.resizing.pending = nil
	case k.behind:
		return
	case k.Shortage != nil:
		k.deferResize()
		return
	default:
		k.beginResize()
	}
	k.endResize()
}

// MakesRoom reports whether a plan for the Pod may free room on its node: the Pod is removed or
// ends, or its allocation changes.
func MakesRoom(pod *corev1.Pod, p plan.Plan) bool {
	if len(p.Deletes) > 0 {
		return true
	}
	for _, u := range p.Updates {
		next, ok := u.Object.(*corev1.Pod)
		if ok && (ended(next.Status.Phase) != ended(pod.Status.Phase) || pod.Generation > 1 && podstate.AwaitsResize(pod) && !podstate.AwaitsResize(next)) {
			return true
		}
	}
	return false
}

// deferResize shows that the node has no room.
func (k *sync) deferResize() {
	k.wakeAt(k.now.Add(retryDelay))
	old := k.resizing.pending
	c := k.resizeCondition(corev1.PodResizePending, corev1.PodReasonDeferred, k.Shortage.Message)
	k.resizing.pending = c
	if old != nil && old.Reason == c.Reason {
		c.LastTransitionTime = old.LastTransitionTime
		if old.ObservedGeneration == c.ObservedGeneration {
			return
		}
	}
	k.podEvent(corev1.EventTypeWarning, "ResizeDeferred", allocation.Message("Pod resize "+k.Shortage.Reason, k.Pod, k.Pod.Generation, k.Shortage.Message))
}

// beginResize allocates what is requested.
func (k *sync) beginResize() {
	k.resizing = resizeConditions{progress: k.resizeCondition(corev1.PodResizeInProgress, "", "")}
	k.podEvent(corev1.EventTypeNormal, "ResizeStarted", allocation.Message("Pod resize started", k.Pod, k.Pod.Generation, ""))
	k.status.Resources, k.status.AllocatedResources = allocation.OfPod(k.Pod)
	k.changed = true
	for i := range k.containers {
		c := &k.containers[i]
		if c.role == ephemeral || c.status.Resources == nil {
			continue
		}
		given := podstate.Given(c.status)
		c.status.AllocatedResources = c.spec.Resources.Requests
		if c.running() && allocation.Restarts(c.spec, given) {
			c.replaced = true
			k.event(c, corev1.EventTypeNormal, "Killing", "Container "+c.spec.Name+" resize requires restart")
			k.terminateIn(c, k.now.Time, k.grace())
			k.carryOn()
			continue
		}
		c.status.Resources = allocation.OfContainer(&c.spec.Resources)
		if k.runtime.Resize(k.now.Time, c.spec.Name, k.resourcesOf(&c.spec.Resources)) {
			k.touched = true
		}
	}
}

// endResize shows that all containers have what was requested, if a resize was in progress.
func (k *sync) endResize() {
	p := k.resizing.progress
	if p == nil {
		return
	}
	for i := range k.containers {
		if k.awaitsRestart(&k.containers[i]) {
			return
		}
	}
	k.resizing.progress = nil
	k.podEvent(corev1.EventTypeNormal, "ResizeCompleted", allocation.Message("Pod resize completed", k.Pod, p.ObservedGeneration, ""))
}

// awaitsRestart reports whether the container gets the resources of the current resize when it is
// restarted.
func (k *sync) awaitsRestart(c *container) bool {
	return k.resizing.progress != nil && c.role != ephemeral && c.role != initial && c.status.Resources != nil &&
		!podstate.SameResources(&c.spec.Resources, c.status.Resources)
}

// given are the resources that the container is started with: while a resize is deferred, those it
// had before.
func (k *sync) given(c *container) *corev1.ResourceRequirements {
	if k.resizing.pending != nil && c.status.Resources != nil {
		return podstate.Given(c.status)
	}
	return &c.spec.Resources
}

// resourcesOf is what the emulator must know of a container's requests and limits. The Pod's own
// limits are the earlier ones while a resize is deferred.
func (k *sync) resourcesOf(r *corev1.ResourceRequirements) emulator.Resources {
	whole := k.Pod.Spec.Resources
	if whole != nil && k.resizing.pending != nil && k.status.Resources != nil {
		whole = k.status.Resources
	}
	return allocation.Enforced(r, whole)
}

func (k *sync) resizeCondition(t corev1.PodConditionType, reason, message string) *corev1.PodCondition {
	return &corev1.PodCondition{
		Type: t, Status: corev1.ConditionTrue, ObservedGeneration: k.Pod.Generation, LastTransitionTime: k.now,
		Reason: reason, Message: message,
	}
}
