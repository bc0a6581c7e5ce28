package kind

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// ScaleOf returns a workload's scale. A selector that does not parse, which validation prevents,
// selects nothing.
func ScaleOf(o metav1.Object, selector *metav1.LabelSelector, spec, status int32) *autoscalingv1.Scale {
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		s = labels.Nothing()
	}
	return &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{
			Name: o.GetName(), Namespace: o.GetNamespace(), UID: o.GetUID(),
			ResourceVersion: o.GetResourceVersion(), CreationTimestamp: o.GetCreationTimestamp(),
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: spec},
		Status: autoscalingv1.ScaleStatus{Replicas: status, Selector: s.String()},
	}
}

// ReplicasOf returns spec.replicas, which defaults to 1.
func ReplicasOf(replicas *int32) int32 {
	if replicas == nil {
		return 1
	}
	return *replicas
}
