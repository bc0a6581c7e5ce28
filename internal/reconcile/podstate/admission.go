package podstate

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
)

// Unadmitted reports whether the kubelet of the Pod's node has neither admitted nor rejected the
// Pod yet.
func Unadmitted(pod *corev1.Pod) bool {
	return pod.Spec.NodeName != "" && pod.Status.StartTime == nil && !Terminal(pod) && pod.DeletionTimestamp == nil
}

// CompareUnadmitted orders Pods as kubelets admit them: the oldest first.
func CompareUnadmitted(a, b *corev1.Pod) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.UID, b.UID))
}
