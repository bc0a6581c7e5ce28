package podstate

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TargetNode is the node of a Pod or, before it is bound, the node that its node affinity names;
// empty if there is neither.
//
// Source: kubernetes v1.36 pkg/controller/daemon/util/daemonset_util.go, GetTargetNodeName
func TargetNode(pod *corev1.Pod) string {
	if pod.Spec.NodeName != "" {
		return pod.Spec.NodeName
	}
	a := pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	for _, term := range a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, r := range term.MatchFields {
			if r.Key == metav1.ObjectNameField && r.Operator == corev1.NodeSelectorOpIn {
				if len(r.Values) != 1 {
					return ""
				}
				return r.Values[0]
			}
		}
	}
	return ""
}
