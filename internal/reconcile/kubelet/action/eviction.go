package action

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The content of an evicted Pod's status.
// Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go and eviction_manager.go, evictPod.
const (
	evicted          = "Evicted"
	evictionMessage  = "The node was low on resource: memory. "
	evictionGrace    = time.Second // immediateEvictionGracePeriodSeconds
	terminatedByNode = "TerminationByKubelet"
)

// Disrupt returns the Pod with the condition of one that fails because its node is short of memory;
// the same Pod if it has that condition.
func Disrupt(of *corev1.Pod, now metav1.Time) *corev1.Pod {
	if has := func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget }; slices.ContainsFunc(of.Status.Conditions, has) {
		return of
	}
	pod := *of
	pod.Status.Conditions = append(slices.Clone(pod.Status.Conditions), corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation, LastTransitionTime: now,
		Reason: terminatedByNode, Message: evictionMessage,
	})
	return &pod
}
