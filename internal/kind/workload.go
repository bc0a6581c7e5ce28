package kind

import (
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What ReplicaSets and Deployments, which run Pods from a template, have in common.

// count is a number in a status or a spec that must not be negative, with its field's name.
type count struct {
	name  string
	value int64
}

// counted is a count of a field.
func counted(name string, value int64) count { return count{name, value} }

// validateCounts judges that no count is negative.
func validateCounts(path *field.Path, counts ...count) field.ErrorList {
	var errs field.ErrorList
	for _, c := range counts {
		errs = append(errs, validation.ValidateNonnegativeField(c.value, path.Child(c.name))...)
	}
	return errs
}

// optional is a list of one count, or of none where the field is not set.
func optional(name string, value *int32) []count {
	if value == nil {
		return nil
	}
	return []count{{name, int64(*value)}}
}

// portion is how many of a workload's Pods are ready, available and so on, with its field's name.
type portion struct {
	name  string
	value int32
}

// shareOf is a portion of a field.
func shareOf(name string, value int32) portion { return portion{name, value} }

// validatePortions judges that no portion is greater than the whole, and that the last, the available Pods, is not
// greater than the one before, the ready Pods.
func validatePortions(path *field.Path, whole int32, portions ...portion) field.ErrorList {
	var errs field.ErrorList
	for _, p := range portions {
		if p.value > whole {
			errs = append(errs, field.Invalid(path.Child(p.name), p.value, "cannot be greater than status.replicas"))
		}
	}
	ready, available := portions[len(portions)-2], portions[len(portions)-1]
	if available.value > ready.value {
		errs = append(errs, field.Invalid(path.Child(available.name), available.value, "cannot be greater than readyReplicas"))
	}
	return errs
}

// validateSelectorAndTemplate judges the selector of a workload and the template, which it must match. path is that
// of the spec.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateReplicaSetSpec and ValidateDeploymentSpec
func validateSelectorAndTemplate(s *metav1.LabelSelector, t *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
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
	return append(errs, validateReplicaTemplate(t, selector, "ReplicaSet", path.Child("template"))...)
}

// validateReplicaTemplate judges a template for Pods that run for ever; kind is how errors name whose template it is.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForReplicaSet, and
// pkg/apis/core/validation/validation.go, ValidatePodTemplateSpecForRC
func validateReplicaTemplate(t *corev1.PodTemplateSpec, selector labels.Selector, kind string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !selector.Empty() && !selector.Matches(labels.Set(t.Labels)) {
		at := path.Child("metadata", "labels")
		errs = append(errs, field.Invalid(at, t.Labels, "`selector` does not match template `labels`"))
	}
	errs = append(errs, validatePodTemplateSpec(t, path)...)
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

// warnOfPodNames warns of a new object's name that its Pods' names and hostnames would suffer from.
func warnOfPodNames(o metav1.Object) []string {
	msgs := utilvalidation.IsDNS1123Label(o.GetName())
	if len(msgs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: %v", msgs)}
}

// scaleOf is a workload's scale subresource. A selector that does not parse, which validation keeps out, selects
// nothing.
func scaleOf(o metav1.Object, selector *metav1.LabelSelector, spec, status int32) *autoscalingv1.Scale {
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

// replicasOf reads spec.replicas, whose default is 1.
func replicasOf(replicas *int32) int32 {
	if replicas == nil {
		return 1
	}
	return *replicas
}
