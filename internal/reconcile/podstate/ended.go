package podstate

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// CompareEnded orders Pods that have ended as they are collected: first those that were evicted, then the oldest.
// Source: kubernetes v1.36 pkg/controller/podgc/gc_controller.go, byEvictionAndCreationTimestamp.
func CompareEnded(a, b *corev1.Pod) int {
	return cmp.Or(rank(a)-rank(b), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
}

// Collected says whether a Pod has been deleted without grace already, so that only a finalizer keeps it.
// Differs: upstream deletes such Pods again and again.
func Collected(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
}

// Released says whether a Pod that has ended was deleted without grace already and waits for others to remove its finalizers.
func Released(pod *corev1.Pod) bool {
	return Terminal(pod) && len(pod.Finalizers) > 0 && Collected(pod)
}

// rank is 0 for a Pod that was evicted, and 1 for others.
func rank(pod *corev1.Pod) int {
	if pod.Status.Phase == corev1.PodFailed && pod.Status.Reason == "Evicted" {
		return 0
	}
	return 1
}
