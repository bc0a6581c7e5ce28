package podspec

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateSelectorAndTemplate validates the selector and the template of a workload, which it must
// match. path is that of the spec.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec and ValidateDeploymentSpec
func ValidateSelectorAndTemplate(s *metav1.LabelSelector, t *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	at := path.Child("selector")
	if s == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = append(errs, metav1validation.ValidateLabelSelector(s, metav1validation.LabelSelectorValidationOptions{}, at)...)
		if len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(at, s, "empty selector is invalid for deployment"))
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return append(errs, field.Invalid(at, s, "invalid label selector"))
	}
	return append(errs, ValidateReplicaTemplate(t, selector, "ReplicaSet", path.Child("template"))...)
}

// ValidateReplicaTemplate validates a template for Pods that run for ever; kind is the name of the
// workload's kind in errors.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForReplicaSet, and
// pkg/apis/core/validation/validation.go, ValidatePodTemplateSpecForRC
func ValidateReplicaTemplate(t *corev1.PodTemplateSpec, selector labels.Selector, kind string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !selector.Empty() && !selector.Matches(labels.Set(t.Labels)) {
		at := path.Child("metadata", "labels")
		errs = append(errs, field.Invalid(at, t.Labels, "`selector` does not match template `labels`"))
	}
	errs = append(errs, ValidateTemplate(t, path)...)
	if policy := t.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways {
		at := path.Child("spec", "restartPolicy")
		errs = append(errs, field.NotSupported(at, policy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if t.Spec.ActiveDeadlineSeconds != nil {
		at := path.Child("spec", "activeDeadlineSeconds")
		errs = append(errs, field.Forbidden(at, "activeDeadlineSeconds in "+kind+" is not Supported"))
	}
	return errs
}

// WarnOfNames warns about a new object's name that is not suitable for the names and hostnames of
// its Pods.
func WarnOfNames(o metav1.Object) []string {
	msgs := utilvalidation.IsDNS1123Label(o.GetName())
	if len(msgs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("metadata.name: this is used in Pod names and hostnames, "+
		"which can result in surprising behavior; a DNS label is recommended: %v", msgs)}
}
