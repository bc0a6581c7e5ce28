package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// The two fields with terms of an affinity.
const (
	RequiredTerms  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution"
)

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateAffinity
func validateAffinity(a *corev1.Affinity, path *field.Path) field.ErrorList {
	if a == nil {
		return nil
	}
	var errs field.ErrorList
	if a.NodeAffinity != nil {
		errs = append(errs, validateNodeAffinity(a.NodeAffinity, path.Child("nodeAffinity"))...)
	}
	if pods := a.PodAffinity; pods != nil {
		at := path.Child("podAffinity")
		errs = append(errs, validatePodAffinityTerms(pods.RequiredDuringSchedulingIgnoredDuringExecution, at.Child(RequiredTerms))...)
		errs = append(errs, validateWeightedTerms(pods.PreferredDuringSchedulingIgnoredDuringExecution, at.Child(preferredTerms))...)
	}
	if pods := a.PodAntiAffinity; pods != nil {
		at := path.Child("podAntiAffinity")
		errs = append(errs, validatePodAffinityTerms(pods.RequiredDuringSchedulingIgnoredDuringExecution, at.Child(RequiredTerms))...)
		errs = append(errs, validateWeightedTerms(pods.PreferredDuringSchedulingIgnoredDuringExecution, at.Child(preferredTerms))...)
	}
	return errs
}

// validateNodeAffinity validates node selector terms. A preferred term may have values that are not
// valid labels: it then never matches, which is harmless.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateNodeAffinity
func validateNodeAffinity(a *corev1.NodeAffinity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if required := a.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		at := path.Child(RequiredTerms, "nodeSelectorTerms")
		if len(required.NodeSelectorTerms) == 0 {
			errs = append(errs, field.Required(at, "must have at least one node selector term"))
		}
		for i := range required.NodeSelectorTerms {
			errs = append(errs, check.NodeSelectorTerm(&required.NodeSelectorTerms[i], true, at.Index(i))...)
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		term, at := &a.PreferredDuringSchedulingIgnoredDuringExecution[i], path.Child(preferredTerms).Index(i)
		errs = append(errs, validateWeight(term.Weight, at)...)
		errs = append(errs, check.NodeSelectorTerm(&term.Preference, false, at.Child("preference"))...)
	}
	return errs
}

func validateWeight(weight int32, path *field.Path) field.ErrorList {
	if weight > 0 && weight <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("weight"), weight, "must be in the range 1-100")}
}

func validatePodAffinityTerms(terms []corev1.PodAffinityTerm, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range terms {
		errs = append(errs, validatePodAffinityTerm(&terms[i], path.Index(i))...)
	}
	return errs
}

func validateWeightedTerms(terms []corev1.WeightedPodAffinityTerm, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range terms {
		errs = append(errs, validateWeight(terms[i].Weight, path.Index(i))...)
		errs = append(errs, validatePodAffinityTerm(&terms[i].PodAffinityTerm, path.Index(i).Child("podAffinityTerm"))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validatePodAffinityTerm
func validatePodAffinityTerm(t *corev1.PodAffinityTerm, path *field.Path) field.ErrorList {
	errs := check.LabelSelector(t.LabelSelector, path.Child("labelSelector"))
	errs = append(errs, check.LabelSelector(t.NamespaceSelector, path.Child("namespaceSelector"))...)
	for _, name := range t.Namespaces {
		errs = append(errs, check.Invalid(path.Child("namespace"), name, validation.ValidateNamespaceName(name, false))...)
	}
	errs = append(errs, validateMatchLabelKeys(t.MatchLabelKeys, t.MismatchLabelKeys, t.LabelSelector, path)...)
	key := path.Child("topologyKey")
	if t.TopologyKey == "" {
		errs = append(errs, field.Required(key, "can not be empty"))
	}
	return append(errs, metav1validation.ValidateLabelName(t.TopologyKey, key)...)
}
