package security

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// podsJudged limits how many Pods of a namespace are checked when it enforces a stricter level.
//
// Source: defaultNamespaceMaxPodsToCheck
const podsJudged = 3000

// warnOfPodsWithin warns about the Pods of a namespace that violate its new level. They keep
// running.
//
// Source: kubernetes v1.36 staging/src/k8s.io/pod-security-admission/admission/admission.go, ValidateNamespace and
// EvaluatePodsInNamespace
func warnOfPodsWithin(next, old object.Object, c kind.Cluster) []string {
	config, _ := securityIn(c)
	exempt := config.exempts(next.GetName(), "")
	now, _ := api.PolicyToEvaluate(next.GetLabels(), config.Defaults)
	if old == nil {
		if exempt {
			return config.warnOfExemption(next.GetName(), next.GetLabels(), now)
		}
		return nil
	}
	was, _ := api.PolicyToEvaluate(old.GetLabels(), config.Defaults)
	level := now.Enforce
	if level == was.Enforce || level.Level == api.LevelPrivileged ||
		level.Version == was.Enforce.Version && api.CompareLevels(level.Level, was.Enforce.Level) < 1 {
		return nil
	}
	if exempt {
		return config.warnOfExemption(next.GetName(), next.GetLabels(), now)
	}
	pods, all := podsToJudge(c, next.GetName())
	violating := map[string][]string{} // names by violation
	for _, p := range pods {
		if r := policy.AggregateCheckResults(podStandards().EvaluatePod(level, &p.ObjectMeta, &p.Spec)); !r.Allowed {
			violating[r.ForbiddenReason()] = append(violating[r.ForbiddenReason()], p.Name)
		}
	}
	var warnings, lines []string
	if len(pods) < all {
		warnings = append(warnings, fmt.Sprintf("new PodSecurity enforce level only checked against the first %d of %d existing pods", len(pods), all))
	}
	for reason, names := range violating {
		lines = append(lines, fmt.Sprintf("%s%s: %s", slices.Min(names), andOthers(len(names)-1), reason))
	}
	if len(lines) > 0 {
		warnings = append(warnings, fmt.Sprintf("existing pods in namespace %q violate the new PodSecurity enforce level %q", next.GetName(), level.String()))
	}
	slices.Sort(lines)
	return append(warnings, lines...)
}

// andOthers formats how many more Pods there are.
func andOthers(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (and 1 other pod)"
	default:
		return fmt.Sprintf(" (and %d other pods)", n)
	}
}

// podsToJudge returns up to podsJudged Pods of a namespace, one of each controller first, and the
// total number.
//
// Source: prioritizePods
func podsToJudge(c kind.Cluster, namespace string) (pods []*corev1.Pod, all int) {
	config, _ := securityIn(c)
	var more []*corev1.Pod
	seen := map[types.UID]bool{}
	c.Each("pods", namespace, func(v *object.Version) bool {
		p, ok := v.Object().(*corev1.Pod)
		if !ok || config.exemptsClass(p.Spec.RuntimeClassName) {
			return true
		}
		all++
		owner := metav1.GetControllerOfNoCopy(p)
		switch {
		case owner != nil && seen[owner.UID]:
			if len(more) < podsJudged {
				more = append(more, p)
			}
		case len(pods) < podsJudged:
			pods = append(pods, p)
		}
		if owner != nil {
			seen[owner.UID] = true
		}
		return true
	})
	return append(pods, more[:min(len(more), podsJudged-len(pods))]...), all
}
