package check

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DeprecatedNodeLabels maps deprecated node labels to the text of their warnings.
//
// Source: kubernetes v1.36 pkg/api/node/util.go, deprecatedNodeLabels
var DeprecatedNodeLabels = map[string]string{
	"beta.kubernetes.io/arch":                       `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                         `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"failure-domain.beta.kubernetes.io/region":      `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":        `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"beta.kubernetes.io/instance-type":              `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
	"app.kubernetes.io/created-by":                  `deprecated since v1.9`,
	"scheduler.alpha.kubernetes.io/preferAvoidPods": `deprecated since v1.22; use Taints and Tolerations instead`,
	"node-role.kubernetes.io/master":                `use "node-role.kubernetes.io/control-plane" instead`,
}

// WarnOfNodeTerm warns about such labels in a node selector term.
//
// Source: kubernetes v1.36 pkg/api/node/util.go, GetWarningsForNodeSelectorTerm
func WarnOfNodeTerm(t *corev1.NodeSelectorTerm, path *field.Path) (warnings []string) {
	for i, e := range t.MatchExpressions {
		if why, deprecated := DeprecatedNodeLabels[e.Key]; deprecated {
			warnings = append(warnings, fmt.Sprintf("%s: %s is %s", path.Child("matchExpressions").Index(i).Child("key"), e.Key, why))
		}
	}
	return warnings
}

// WarnOfNodeSelector warns about such labels in a label selector.
//
// Source: kubernetes v1.36 pkg/api/node/util.go, GetWarningsForNodeSelector
func WarnOfNodeSelector(s *metav1.LabelSelector, path *field.Path) (warnings []string) {
	if s == nil {
		return nil
	}
	for i, e := range s.MatchExpressions {
		if why, deprecated := DeprecatedNodeLabels[e.Key]; deprecated {
			warnings = append(warnings, fmt.Sprintf("%s: %s is %s", path.Child("matchExpressions").Index(i).Child("key"), e.Key, why))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		if why, deprecated := DeprecatedNodeLabels[key]; deprecated {
			warnings = append(warnings, fmt.Sprintf("%s: %s", path.Child("matchLabels").Child(key), why))
		}
	}
	return warnings
}
