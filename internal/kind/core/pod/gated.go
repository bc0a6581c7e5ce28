package pod

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// validateGatedUpdate validates an update of a Pod with scheduling gates: its node selector and
// affinity may become stricter. It resets them in s, a copy of the new spec, so that the caller can
// compare the rest.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidatePodUpdate
func validateGatedUpdate(s, old *corev1.PodSpec) field.ErrorList {
	var errs field.ErrorList
	if !equality.Semantic.DeepEqual(s.NodeSelector, old.NodeSelector) {
		errs = append(errs, validateNodeSelectorUpdate(s.NodeSelector, old.NodeSelector)...)
		s.NodeSelector = old.NodeSelector
	}
	next, was := nodeAffinityOf(s.Affinity), nodeAffinityOf(old.Affinity)
	if equality.Semantic.DeepEqual(next, was) {
		return errs
	}
	errs = append(errs, validateNodeAffinityUpdate(next, was)...)
	switch a := s.Affinity; {
	case a == nil:
		s.Affinity = &corev1.Affinity{NodeAffinity: was}
	case old.Affinity == nil && a.PodAffinity == nil && a.PodAntiAffinity == nil:
		s.Affinity = nil
	default:
		a.NodeAffinity = was
	}
	return errs
}

func nodeAffinityOf(a *corev1.Affinity) *corev1.NodeAffinity {
	if a == nil {
		return nil
	}
	return a.NodeAffinity
}

func validateNodeSelectorUpdate(next, old map[string]string) field.ErrorList {
	for key, value := range old {
		if is, has := next[key]; !has || is != value {
			return field.ErrorList{field.Invalid(specPath.Child("nodeSelector"), next,
				"only additions to spec.nodeSelector are allowed (no mutations or deletions)")}
		}
	}
	return nil
}

// validateNodeAffinityUpdate checks that the number of required terms, which are alternatives,
// stays the same and that no term loses a requirement.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateNodeAffinityMutation
func validateNodeAffinityUpdate(next, old *corev1.NodeAffinity) field.ErrorList {
	was, is := requiredNodeTerms(old), requiredNodeTerms(next)
	at := specPath.Child("affinity", "nodeAffinity", podspec.RequiredTerms, "nodeSelectorTerms")
	if len(was) > 0 && len(was) != len(is) {
		return field.ErrorList{field.Invalid(at, check.Untagged(is), "no additions/deletions to non-empty NodeSelectorTerms list are allowed")}
	}
	var errs field.ErrorList
	for i := range was {
		if !onlyAdds(is[i], was[i]) {
			errs = append(errs, field.Invalid(at.Index(i), check.Untagged(is[i]), "only additions are allowed (no mutations or deletions)"))
		}
	}
	return errs
}

func requiredNodeTerms(a *corev1.NodeAffinity) []corev1.NodeSelectorTerm {
	if a == nil || a.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return a.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// onlyAdds reports whether a term starts with all its old requirements. A term without requirements
// matches nothing, so adding a first one would widen it.
func onlyAdds(next, old corev1.NodeSelectorTerm) bool {
	if len(old.MatchExpressions)+len(old.MatchFields) == 0 {
		return len(next.MatchExpressions)+len(next.MatchFields) == 0
	}
	return hasPrefix(next.MatchExpressions, old.MatchExpressions) && hasPrefix(next.MatchFields, old.MatchFields)
}

func hasPrefix(next, old []corev1.NodeSelectorRequirement) bool {
	return len(next) >= len(old) && equality.Semantic.DeepEqual(next[:len(old):len(old)], old)
}
