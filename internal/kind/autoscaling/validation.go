package autoscaling

import (
	"errors"
	"fmt"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Limits of scaling rules, in seconds.
const (
	maxScalingPeriod = 1800
	maxStabilization = 3600
)

// autoscalerRules are the rules for one autoscaler, which depend on the old object.
type autoscalerRules struct {
	leastReplicas  int32
	target, metric referenceRule
}

// Source: kubernetes v1.36 pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, validationOptionsForHorizontalPodAutoscaler
func rulesFor(hpa, was *autoscalingv2.HorizontalPodAutoscaler) autoscalerRules {
	rules := autoscalerRules{leastReplicas: 1, metric: referenceRule{coreGroup: true}}
	target := hpa.Spec.ScaleTargetRef
	if was == nil {
		rules.target = referenceRule{coreGroup: target.Kind == "ReplicationController", anything: impliesApps(target)}
		return rules
	}
	if n := was.Spec.MinReplicas; n != nil && *n == 0 {
		rules.leastReplicas = 0
	}
	before := was.Spec.ScaleTargetRef
	rules.target.anything = before.APIVersion == target.APIVersion && before.Kind == target.Kind
	rules.target.coreGroup = target.Kind == "ReplicationController"
	rules.target.anything = rules.target.anything || impliesApps(target)
	rules.metric.anything = slices.ContainsFunc(was.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
		return m.Type == autoscalingv2.ObjectMetricSourceType && m.Object != nil && wrongVersion(m.Object.DescribedObject.APIVersion, rules.metric) != nil
	})
	return rules
}

// workloadsOfApps are the kinds of apps/v1 with a scale subresource.
var workloadsOfApps = []string{"Deployment", "ReplicaSet", "StatefulSet"}

// impliesApps reports whether a reference without an apiVersion means a kind of apps/v1.
//
// Differs: Kubernetes 1.36 rejects new autoscalers of this form. Rowlock accepts them, because
// manifests in older documentation have it, and the meaning is clear.
func impliesApps(ref autoscalingv2.CrossVersionObjectReference) bool {
	return ref.APIVersion == "" && slices.Contains(workloadsOfApps, ref.Kind)
}

// ResolvedTarget returns what an autoscaler scales, with the implied apiVersion.
func ResolvedTarget(ref autoscalingv2.CrossVersionObjectReference) autoscalingv2.CrossVersionObjectReference {
	if impliesApps(ref) {
		ref.APIVersion = "apps/v1"
	}
	return ref
}

// warnOfAutoscaler warns about a reference without an apiVersion.
func warnOfAutoscaler(next, _ *autoscalingv2.HorizontalPodAutoscaler) []string {
	ref := next.Spec.ScaleTargetRef
	if !impliesApps(ref) {
		return nil
	}
	return []string{fmt.Sprintf("spec.scaleTargetRef.apiVersion: not set, apps/v1 is used for kind %s; Kubernetes 1.36 requires it", ref.Kind)}
}

// validateAutoscaler validates an autoscaler; was is nil at creation.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, ValidateHorizontalPodAutoscaler and …Update
func validateAutoscaler(hpa, was *autoscalingv2.HorizontalPodAutoscaler) field.ErrorList {
	var errs field.ErrorList
	if was == nil {
		errs = check.NamespacedMeta(&hpa.ObjectMeta)
	} else {
		errs = check.MetaUpdate(&hpa.ObjectMeta, &was.ObjectMeta)
	}
	return append(errs, validateAutoscalerSpec(&hpa.Spec, rulesFor(hpa, was), field.NewPath("spec"))...)
}

func validateAutoscalerSpec(s *autoscalingv2.HorizontalPodAutoscalerSpec, rules autoscalerRules, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	least, most := s.MinReplicas, path.Child("maxReplicas")
	if least != nil && *least < rules.leastReplicas {
		errs = append(errs, field.Invalid(path.Child("minReplicas"), *least, fmt.Sprintf("must be greater than or equal to %d", rules.leastReplicas)))
	}
	switch {
	case s.MaxReplicas == 0:
		errs = append(errs, field.Required(most, "must be set and greater than 0"))
	case s.MaxReplicas < 0:
		errs = append(errs, field.Invalid(most, s.MaxReplicas, "must be greater than or equal to 1"))
	}
	if least != nil && s.MaxReplicas < *least {
		errs = append(errs, field.Invalid(most, s.MaxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	errs = append(errs, validateVersionedReference(s.ScaleTargetRef, rules.target, path.Child("scaleTargetRef"))...)
	for i := range s.Metrics {
		errs = append(errs, validateMetric(&s.Metrics[i], rules.metric, path.Child("metrics").Index(i))...)
	}
	if least != nil && *least == 0 && !slices.ContainsFunc(s.Metrics, func(m autoscalingv2.MetricSpec) bool {
		return m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType
	}) {
		errs = append(errs, field.Forbidden(path.Child("metrics"),
			"must specify at least one Object or External metric to support scaling to zero replicas"))
	}
	if b := s.Behavior; b != nil {
		errs = append(errs, validateScalingRules(b.ScaleUp, path.Child("behavior", "scaleUp"))...)
		errs = append(errs, validateScalingRules(b.ScaleDown, path.Child("behavior", "scaleDown"))...)
	}
	return errs
}

// wrongVersion returns what is wrong with an apiVersion, nil if nothing is.
func wrongVersion(version string, rule referenceRule) error {
	if rule.anything {
		return nil
	}
	gv, err := schema.ParseGroupVersion(version)
	if err == nil && !rule.coreGroup && gv.Group == "" {
		err = errors.New("apiVersion must specify API group")
	}
	return err
}

// validateScalingRules validates scaling rules, which may be nil.
func validateScalingRules(r *autoscalingv2.HPAScalingRules, path *field.Path) field.ErrorList {
	if r == nil {
		return nil
	}
	var errs field.ErrorList
	if window, at := r.StabilizationWindowSeconds, path.Child("stabilizationWindowSeconds"); window != nil {
		if *window < 0 {
			errs = append(errs, field.Invalid(at, *window, "must be greater than or equal to zero"))
		}
		if *window > maxStabilization {
			errs = append(errs, field.Invalid(at, *window, fmt.Sprintf("must be less than or equal to %v", maxStabilization)))
		}
	}
	if p := r.SelectPolicy; p != nil && !slices.Contains(selectPolicies, *p) {
		errs = append(errs, field.NotSupported(path.Child("selectPolicy"), *p, selectPolicies))
	}
	policies := path.Child("policies")
	if len(r.Policies) == 0 {
		errs = append(errs, field.Required(policies, "must specify at least one Policy"))
	}
	for i, p := range r.Policies {
		errs = append(errs, validateScalingPolicy(p, policies.Index(i))...)
	}
	if r.Tolerance != nil && r.Tolerance.Sign() < 0 {
		errs = append(errs, field.Invalid(path.Child("tolerance"), r.Tolerance.String(), validation.IsNegativeErrorMsg))
	}
	return errs
}

func validateScalingPolicy(p autoscalingv2.HPAScalingPolicy, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !slices.Contains(scalingPolicies, p.Type) {
		errs = append(errs, field.NotSupported(path.Child("type"), p.Type, scalingPolicies))
	}
	if p.Value <= 0 {
		errs = append(errs, field.Invalid(path.Child("value"), p.Value, "must be greater than zero"))
	}
	period := path.Child("periodSeconds")
	if p.PeriodSeconds <= 0 {
		errs = append(errs, field.Invalid(period, p.PeriodSeconds, "must be greater than zero"))
	}
	if p.PeriodSeconds > maxScalingPeriod {
		errs = append(errs, field.Invalid(period, p.PeriodSeconds, fmt.Sprintf("must be less than or equal to %v", maxScalingPeriod)))
	}
	return errs
}
