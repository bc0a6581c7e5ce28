package apps

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

func validateDaemonSet(ds *appsv1.DaemonSet) field.ErrorList {
	return append(check.NamespacedMeta(&ds.ObjectMeta), validateDaemonSetSpec(&ds.Spec)...)
}

// validateDaemonSetUpdate does not validate the template's generation, because
// prepareDaemonSetUpdate sets it.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetUpdate
func validateDaemonSetUpdate(ds, was *appsv1.DaemonSet) field.ErrorList {
	errs := check.MetaUpdate(&ds.ObjectMeta, &was.ObjectMeta)
	selector := field.NewPath("spec", "selector")
	errs = append(errs, validation.ValidateImmutableField(ds.Spec.Selector, was.Spec.Selector, selector)...)
	return append(errs, validateDaemonSetSpec(&ds.Spec)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetSpec
func validateDaemonSetSpec(spec *appsv1.DaemonSetSpec) field.ErrorList {
	path := field.NewPath("spec")
	at, template := path.Child("selector"), path.Child("template")
	errs := metav1validation.ValidateLabelSelector(spec.Selector, metav1validation.LabelSelectorValidationOptions{}, at)
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	if err == nil && !selector.Matches(labels.Set(spec.Template.Labels)) {
		errs = append(errs, field.Invalid(template.Child("metadata", "labels"), spec.Template.Labels, "`selector` does not match template `labels`"))
	}
	if s := spec.Selector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		errs = append(errs, field.Invalid(at, s, "empty selector is invalid for daemonset"))
	}
	errs = append(errs, podspec.ValidateTemplate(&spec.Template, template)...)
	if policy := spec.Template.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(template.Child("spec", "restartPolicy"), policy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if spec.Template.Spec.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(template.Child("spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in DaemonSet is not Supported"))
	}
	errs = append(errs, check.Counts(path, check.Count("minReadySeconds", int64(spec.MinReadySeconds)))...)
	errs = append(errs, validateDaemonSetStrategy(&spec.UpdateStrategy, path.Child("updateStrategy"))...)
	return append(errs, check.Counts(path, check.Optional("revisionHistoryLimit", spec.RevisionHistoryLimit)...)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetUpdateStrategy
func validateDaemonSetStrategy(s *appsv1.DaemonSetUpdateStrategy, path *field.Path) field.ErrorList {
	rolling := path.Child("rollingUpdate")
	switch s.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
		return nil
	case appsv1.RollingUpdateDaemonSetStrategyType:
		if s.RollingUpdate == nil {
			return field.ErrorList{field.Required(rolling, "")}
		}
		return validateDaemonSetRollingUpdate(s.RollingUpdate, rolling)
	}
	value := strategyValue{Type: appsv1.DeploymentStrategyType(s.Type)}
	if r := s.RollingUpdate; r != nil {
		value.RollingUpdate = &struct{ MaxUnavailable, MaxSurge intstr.IntOrString }{bound(r.MaxUnavailable), bound(r.MaxSurge)}
	}
	return field.ErrorList{field.NotSupported(path, value, []appsv1.DaemonSetUpdateStrategyType{
		appsv1.RollingUpdateDaemonSetStrategyType, appsv1.OnDeleteDaemonSetStrategyType,
	})}
}

// validateDaemonSetRollingUpdate validates the two bounds: each is a number or a percentage up to
// 100, and exactly one is zero.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateRollingUpdateDaemonSet
func validateDaemonSetRollingUpdate(r *appsv1.RollingUpdateDaemonSet, path *field.Path) field.ErrorList {
	unavailable, surge := bound(r.MaxUnavailable), bound(r.MaxSurge)
	at, surgeAt := path.Child("maxUnavailable"), path.Child("maxSurge")
	errs := append(check.IntOrPercent(unavailable, at), check.IntOrPercent(surge, surgeAt)...)
	errs = append(errs, check.AtMostAll(unavailable, at)...)
	errs = append(errs, check.AtMostAll(surge, surgeAt)...)
	switch {
	case check.NumberOf(unavailable) != 0 && check.NumberOf(surge) != 0:
		errs = append(errs, field.Invalid(surgeAt, surge, "may not be set when maxUnavailable is non-zero"))
	case check.NumberOf(unavailable) == 0 && check.NumberOf(surge) == 0:
		errs = append(errs, field.Required(at, "cannot be 0 when maxSurge is 0"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDaemonSetStatusUpdate
func validateDaemonSetStatus(ds, was *appsv1.DaemonSet) field.ErrorList {
	errs := check.MetaUpdate(&ds.ObjectMeta, &was.ObjectMeta)
	path, s := field.NewPath("status"), ds.Status
	errs = append(errs, check.Counts(path, append([]check.Number{
		check.Count("currentNumberScheduled", int64(s.CurrentNumberScheduled)),
		check.Count("numberMisscheduled", int64(s.NumberMisscheduled)),
		check.Count("desiredNumberScheduled", int64(s.DesiredNumberScheduled)),
		check.Count("numberReady", int64(s.NumberReady)),
		check.Count("observedGeneration", s.ObservedGeneration),
		check.Count("updatedNumberScheduled", int64(s.UpdatedNumberScheduled)),
		check.Count("numberAvailable", int64(s.NumberAvailable)),
		check.Count("numberUnavailable", int64(s.NumberUnavailable)),
	}, check.Optional("collisionCount", s.CollisionCount)...)...)...)
	return append(errs, validateCollisionCount(s.CollisionCount, was.Status.CollisionCount, path)...)
}
