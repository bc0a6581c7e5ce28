package kubelet

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/fault"
)

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

// The content of an evicted Pod's status.
// Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go and eviction_manager.go, evictPod.
const (
	evicted          = "Evicted"
	evictionMessage  = "The node was low on resource: memory. "
	evictionGrace    = time.Second // immediateEvictionGracePeriodSeconds
	terminatedByNode = "TerminationByKubelet"
)

// disrupt shows that the Pod fails as it would on a node that is short of memory.
func (k *sync) disrupt() {
	if has := func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget }; slices.ContainsFunc(k.Pod.Status.Conditions, has) {
		return
	}
	pod := *k.Pod
	pod.Status.Conditions = append(slices.Clone(pod.Status.Conditions), corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation, LastTransitionTime: metav1.Time{Time: k.now.Time},
		Reason: terminatedByNode, Message: evictionMessage,
	})
	k.Pod, k.changed = &pod, true
}

// refused is the fault that keeps the container's image from being pulled; nil if it can, or
// need not, be pulled. An image that the container has run before is on its node, and is pulled
// again only if its policy is Always.
func (k *sync) refused(c *container) *fault.ImageRule {
	if len(k.Faults.Image) == 0 || c.image == nil || c.image.PullError != "" {
		return nil
	}
	ran := c.status.LastTerminationState.Terminated != nil || c.status.State.Terminated != nil
	switch policy := c.spec.ImagePullPolicy; {
	case policy == corev1.PullNever, policy != corev1.PullAlways && ran:
		return nil
	}
	return k.Faults.Refuses(c.spec.Image, c.image.Reference, k.Now)
}
