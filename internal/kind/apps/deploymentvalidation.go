package apps

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

func validateDeployment(d *appsv1.Deployment) field.ErrorList {
	return append(check.NamespacedMeta(&d.ObjectMeta), validateDeploymentSpec(&d.Spec)...)
}

func validateDeploymentUpdate(d, was *appsv1.Deployment) field.ErrorList {
	errs := check.MetaUpdate(&d.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateDeploymentSpec(&d.Spec)...)
	selector := field.NewPath("spec", "selector")
	return append(errs, validation.ValidateImmutableField(d.Spec.Selector, was.Spec.Selector, selector)...)
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentSpec
func validateDeploymentSpec(spec *appsv1.DeploymentSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := check.Counts(path, check.Count("replicas", int64(kind.ReplicasOf(spec.Replicas))))
	errs = append(errs, podspec.ValidateSelectorAndTemplate(spec.Selector, &spec.Template, path)...)
	errs = append(errs, validateStrategy(&spec.Strategy, path.Child("strategy"))...)
	errs = append(errs, check.Counts(path, check.Count("minReadySeconds", int64(spec.MinReadySeconds)))...)
	errs = append(errs, check.Counts(path, check.Optional("revisionHistoryLimit", spec.RevisionHistoryLimit)...)...)

	const name = "progressDeadlineSeconds"
	deadline := spec.ProgressDeadlineSeconds
	errs = append(errs, check.Counts(path, check.Optional(name, deadline)...)...)
	if deadline != nil && *deadline <= spec.MinReadySeconds {
		errs = append(errs, field.Invalid(path.Child(name), *deadline, "must be greater than minReadySeconds"))
	}
	return errs
}

// strategyValue prints a strategy as upstream's messages do, with Go's field names.
type strategyValue struct {
	Type          appsv1.DeploymentStrategyType
	RollingUpdate *struct{ MaxUnavailable, MaxSurge intstr.IntOrString }
}

// validateStrategy validates a defaulted strategy.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentStrategy
func validateStrategy(s *appsv1.DeploymentStrategy, path *field.Path) field.ErrorList {
	rolling := path.Child("rollingUpdate")
	switch s.Type {
	case appsv1.RecreateDeploymentStrategyType:
		if s.RollingUpdate != nil {
			return field.ErrorList{field.Forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'")}
		}
		return nil
	case appsv1.RollingUpdateDeploymentStrategyType:
		if s.RollingUpdate == nil {
			return field.ErrorList{field.Required(rolling, "this should be defaulted and never be nil")}
		}
		return validateRollingUpdate(s.RollingUpdate, rolling)
	}

	value := strategyValue{Type: s.Type}
	if r := s.RollingUpdate; r != nil {
		value.RollingUpdate = &struct{ MaxUnavailable, MaxSurge intstr.IntOrString }{bound(r.MaxUnavailable), bound(r.MaxSurge)}
	}
	return field.ErrorList{field.NotSupported(path, value, []appsv1.DeploymentStrategyType{
		appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType,
	})}
}

// validateRollingUpdate validates the two bounds: numbers or percentages, not both zero, with at
// most 100 % unavailable.
//
// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateRollingUpdateDeployment
func validateRollingUpdate(r *appsv1.RollingUpdateDeployment, path *field.Path) field.ErrorList {
	unavailable, surge := bound(r.MaxUnavailable), bound(r.MaxSurge)
	at := path.Child("maxUnavailable")
	errs := check.IntOrPercent(unavailable, at)
	errs = append(errs, check.IntOrPercent(surge, path.Child("maxSurge"))...)
	if check.NumberOf(unavailable) == 0 && check.NumberOf(surge) == 0 {
		errs = append(errs, field.Invalid(at, unavailable, "may not be 0 when `maxSurge` is 0"))
	}
	return append(errs, check.AtMostAll(unavailable, at)...)
}

// bound returns a bound of a rolling update. It is nil only for a strategy of unknown type.
func bound(v *intstr.IntOrString) intstr.IntOrString {
	if v == nil {
		return intstr.IntOrString{}
	}
	return *v
}

// Source: kubernetes v1.36 pkg/apis/apps/validation/validation.go, ValidateDeploymentStatusUpdate
func validateDeploymentStatus(d, was *appsv1.Deployment) field.ErrorList {
	errs := check.MetaUpdate(&d.ObjectMeta, &was.ObjectMeta)
	path, s := field.NewPath("status"), d.Status
	errs = append(errs, check.Counts(path,
		check.Count("observedGeneration", s.ObservedGeneration),
		check.Count("replicas", int64(s.Replicas)),
		check.Count("updatedReplicas", int64(s.UpdatedReplicas)),
		check.Count("readyReplicas", int64(s.ReadyReplicas)),
		check.Count("availableReplicas", int64(s.AvailableReplicas)),
		check.Count("unavailableReplicas", int64(s.UnavailableReplicas)),
	)...)
	errs = append(errs, check.Counts(path, check.Optional("terminatingReplicas", s.TerminatingReplicas)...)...)
	errs = append(errs, check.Counts(path, check.Optional("collisionCount", s.CollisionCount)...)...)
	errs = append(errs, check.Portions(path, s.Replicas,
		check.Portion("updatedReplicas", s.UpdatedReplicas),
		check.Portion("readyReplicas", s.ReadyReplicas),
		check.Portion("availableReplicas", s.AvailableReplicas),
	)...)
	return append(errs, validateCollisionCount(s.CollisionCount, was.Status.CollisionCount, path)...)
}

// validateCollisionCount checks that the collision count, which is hashed into the names of
// ReplicaSets, never decreases. nil is less than any number.
func validateCollisionCount(next, old *int32, path *field.Path) field.ErrorList {
	var value int32
	if next != nil {
		value = *next
	}
	if old == nil || next != nil && *next >= *old {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("collisionCount"), value, "cannot be decremented")}
}
