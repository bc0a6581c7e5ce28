package autoscaling

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

var (
	selectPolicies = []autoscalingv2.ScalingPolicySelect{
		autoscalingv2.DisabledPolicySelect, autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect,
	}
	scalingPolicies = []autoscalingv2.HPAScalingPolicyType{autoscalingv2.PercentScalingPolicy, autoscalingv2.PodsScalingPolicy}
	metricSources   = []autoscalingv2.MetricSourceType{
		autoscalingv2.ContainerResourceMetricSourceType, autoscalingv2.ExternalMetricSourceType, autoscalingv2.ObjectMetricSourceType,
		autoscalingv2.PodsMetricSourceType, autoscalingv2.ResourceMetricSourceType,
	}
)

// referenceRule says what the apiVersion of a reference may be.
type referenceRule struct{ anything, coreGroup bool }

// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, ValidateCrossVersionObjectReference
func validateVersionedReference(ref autoscalingv2.CrossVersionObjectReference, rule referenceRule, path *field.Path) field.ErrorList {
	errs := check.PathSegment(ref.Kind, path.Child("kind"))
	errs = append(errs, check.PathSegment(ref.Name, path.Child("name"))...)
	if err := wrongVersion(ref.APIVersion, rule); err != nil {
		errs = append(errs, field.Invalid(path.Child("apiVersion"), ref.APIVersion, err.Error()))
	}
	return errs
}
