package podstate

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// CompareEnded orders Pods that have ended as they are collected: evicted ones first, then the
// oldest.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, byEvictionAndCreationTimestamp.
func CompareEnded(a, b *corev1.Pod) int {
	return cmp.Or(rank(a)-rank(b), a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
		strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
}

// Collected reports whether the Pod has already been deleted without a grace period: nothing in it
// runs any more, and only a finalizer keeps it.
// Differs: upstream deletes such Pods repeatedly.
func Collected(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
}

// Released reports whether a Pod that has ended was already deleted without a grace period and
// waits for others to remove its finalizers.
func Released(pod *corev1.Pod) bool {
	return Terminal(pod) && len(pod.Finalizers) > 0 && Collected(pod)
}

// rank is 0 for an evicted Pod and 1 for others.
func rank(pod *corev1.Pod) int {
	if pod.Status.Phase == corev1.PodFailed && pod.Status.Reason == "Evicted" {
		return 0
	}
	return 1
}
