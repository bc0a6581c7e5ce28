package podstate

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Alike is N Pods, neither finished nor without a controller, that their controller cannot tell
// apart as long as it only counts them: they have the same controller and the same labels, all or
// none of them are being deleted, and all or none are ready. Pod stands for them, and has only what
// they have in common.
type Alike struct {
	Pod *corev1.Pod
	N   int32
}

// NewAlike makes an Alike of no Pods like this one.
func NewAlike(pod *corev1.Pod) Alike {
	common := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: pod.Namespace, Labels: pod.Labels, OwnerReferences: pod.OwnerReferences, DeletionTimestamp: pod.DeletionTimestamp,
	}}
	if Ready(pod) {
		common.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	}
	return Alike{Pod: common}
}

// Includes reports whether a Pod with the same controller is like these.
func (a Alike) Includes(pod *corev1.Pod) bool {
	return (a.Pod.DeletionTimestamp == nil) == (pod.DeletionTimestamp == nil) && Ready(a.Pod) == Ready(pod) && maps.Equal(a.Pod.Labels, pod.Labels)
}
