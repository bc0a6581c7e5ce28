package kind

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The two kinds of terms of an affinity.
const (
	requiredTerms  = "requiredDuringSchedulingIgnoredDuringExecution"
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
		errs = append(errs, validatePodAffinityTerms(pods.RequiredDuringSchedulingIgnoredDuringExecution, at.Child(requiredTerms))...)
		errs = append(errs, validateWeightedTerms(pods.PreferredDuringSchedulingIgnoredDuringExecution, at.Child(preferredTerms))...)
	}
	if pods := a.PodAntiAffinity; pods != nil {
		at := path.Child("podAntiAffinity")
		errs = append(errs, validatePodAffinityTerms(pods.RequiredDuringSchedulingIgnoredDuringExecution, at.Child(requiredTerms))...)
		errs = append(errs, validateWeightedTerms(pods.PreferredDuringSchedulingIgnoredDuringExecution, at.Child(preferredTerms))...)
	}
	return errs
}

// validateNodeAffinity judges the terms for nodes. A preferred term may have values that are no label's: it never
// matches then, which does no harm.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateNodeAffinity
func validateNodeAffinity(a *corev1.NodeAffinity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if required := a.RequiredDuringSchedulingIgnoredDuringExecution; required != nil {
		at := path.Child(requiredTerms, "nodeSelectorTerms")
		if len(required.NodeSelectorTerms) == 0 {
			errs = append(errs, field.Required(at, "must have at least one node selector term"))
		}
		for i := range required.NodeSelectorTerms {
			errs = append(errs, validateNodeSelectorTerm(&required.NodeSelectorTerms[i], true, at.Index(i))...)
		}
	}
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		term, at := &a.PreferredDuringSchedulingIgnoredDuringExecution[i], path.Child(preferredTerms).Index(i)
		errs = append(errs, validateWeight(term.Weight, at)...)
		errs = append(errs, validateNodeSelectorTerm(&term.Preference, false, at.Child("preference"))...)
	}
	return errs
}

func validateWeight(weight int32, path *field.Path) field.ErrorList {
	if weight > 0 && weight <= 100 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("weight"), weight, "must be in the range 1-100")}
}

func validateNodeSelectorTerm(t *corev1.NodeSelectorTerm, strict bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range t.MatchExpressions {
		errs = append(errs, validateNodeExpression(&t.MatchExpressions[i], strict, path.Child("matchExpressions").Index(i))...)
	}
	for i := range t.MatchFields {
		errs = append(errs, validateNodeField(&t.MatchFields[i], path.Child("matchFields").Index(i))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeSelectorRequirement
func validateNodeExpression(r *corev1.NodeSelectorRequirement, strict bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	values := path.Child("values")
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			errs = append(errs, field.Required(values, "must be specified when `operator` is 'In' or 'NotIn'"))
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			errs = append(errs, field.Forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			errs = append(errs, field.Required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	errs = append(errs, metav1validation.ValidateLabelName(r.Key, path.Child("key"))...)
	for i, value := range r.Values {
		if strict {
			errs = append(errs, invalid(values.Index(i), value, utilvalidation.IsValidLabelValue(value))...)
		}
	}
	return errs
}

// validateNodeField judges a term for a node's fields, of which there is one: its name.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, ValidateNodeFieldSelectorRequirement
func validateNodeField(r *corev1.NodeSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) != 1 {
			errs = append(errs, field.Required(path.Child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	if r.Key != metav1.ObjectNameField {
		return append(errs, field.Invalid(path.Child("key"), r.Key, "not a valid field selector key"))
	}
	for i, value := range r.Values {
		errs = append(errs, invalid(path.Child("values").Index(i), value, validation.NameIsDNSSubdomain(value, false))...)
	}
	return errs
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
	errs := validateLabelSelector(t.LabelSelector, path.Child("labelSelector"))
	errs = append(errs, validateLabelSelector(t.NamespaceSelector, path.Child("namespaceSelector"))...)
	for _, name := range t.Namespaces {
		errs = append(errs, invalid(path.Child("namespace"), name, validation.ValidateNamespaceName(name, false))...)
	}
	errs = append(errs, validateMatchLabelKeys(t.MatchLabelKeys, t.MismatchLabelKeys, t.LabelSelector, path)...)
	key := path.Child("topologyKey")
	if t.TopologyKey == "" {
		errs = append(errs, field.Required(key, "can not be empty"))
	}
	return append(errs, metav1validation.ValidateLabelName(t.TopologyKey, key)...)
}
