package nodelifecycle

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conditionTaints are the taints that a condition's status requires.
var conditionTaints = map[corev1.NodeConditionType]map[corev1.ConditionStatus]string{
	corev1.NodeReady: {
		corev1.ConditionFalse:   corev1.TaintNodeNotReady,
		corev1.ConditionUnknown: corev1.TaintNodeUnreachable,
	},
	corev1.NodeMemoryPressure:     {corev1.ConditionTrue: corev1.TaintNodeMemoryPressure},
	corev1.NodeDiskPressure:       {corev1.ConditionTrue: corev1.TaintNodeDiskPressure},
	corev1.NodePIDPressure:        {corev1.ConditionTrue: corev1.TaintNodePIDPressure},
	corev1.NodeNetworkUnavailable: {corev1.ConditionTrue: corev1.TaintNodeNetworkUnavailable},
}

// taints is the node's taints, updated from its state, and whether they changed.
func taints(n *corev1.Node, now metav1.Time) ([]corev1.Taint, bool) {
	wanted := map[string]bool{}
	for _, c := range n.Status.Conditions {
		if key, ok := conditionTaints[c.Type][c.Status]; ok {
			wanted[key] = true
		}
	}
	if n.Spec.Unschedulable {
		wanted[corev1.TaintNodeUnschedulable] = true
	}
	var kept []corev1.Taint
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoSchedule && followsState(t.Key) {
			if !wanted[t.Key] {
				continue
			}
			delete(wanted, t.Key)
		}
		kept = append(kept, t)
	}
	differ := len(kept) != len(n.Spec.Taints) || len(wanted) > 0
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		kept = append(kept, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule, TimeAdded: &now})
	}
	return kept, differ
}

// followsState reports whether this package sets a NoSchedule taint with that key.
func followsState(key string) bool {
	if key == corev1.TaintNodeUnschedulable {
		return true
	}
	for _, byStatus := range conditionTaints {
		for _, k := range byStatus {
			if k == key {
				return true
			}
		}
	}
	return false
}

func hasTaint(n *corev1.Node, key string) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == key && t.Effect == corev1.TaintEffectNoSchedule
	})
}
