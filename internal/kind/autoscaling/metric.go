package autoscaling

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// source is one field of a metric source, with the metric type that it belongs to.
type source struct {
	kind  autoscalingv2.MetricSourceType
	field string
	set   bool
	judge func(*field.Path) field.ErrorList
}

// validateMetric validates a metric. Exactly the source of its type must be set. Only the first
// source that is set is validated.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, validateMetricSpec
//
// Differs: unexpected sources are reported in a fixed order; upstream's order is random.
func validateMetric(m *autoscalingv2.MetricSpec, rule referenceRule, path *field.Path) field.ErrorList {
	sources := []source{
		{autoscalingv2.ObjectMetricSourceType, "object", m.Object != nil, func(at *field.Path) field.ErrorList { return validateObjectMetric(m.Object, rule, at) }},
		{
			autoscalingv2.ExternalMetricSourceType, "external", m.External != nil,
			func(at *field.Path) field.ErrorList { return validateExternalMetric(m.External, at) },
		},
		{autoscalingv2.PodsMetricSourceType, "pods", m.Pods != nil, func(at *field.Path) field.ErrorList { return validatePodsMetric(m.Pods, at) }},
		{
			autoscalingv2.ResourceMetricSourceType, "resource", m.Resource != nil,
			func(at *field.Path) field.ErrorList { return validateResourceMetric(m.Resource, at) },
		},
		{autoscalingv2.ContainerResourceMetricSourceType, "containerResource", m.ContainerResource != nil,
			func(at *field.Path) field.ErrorList { return validateContainerMetric(m.ContainerResource, at) }},
	}
	var errs, others field.ErrorList
	kind := path.Child("type")
	if m.Type == "" {
		errs = append(errs, field.Required(kind, "must specify a metric source type"))
	}
	if !slices.Contains(metricSources, m.Type) {
		errs = append(errs, field.NotSupported(kind, m.Type, metricSources))
	}
	set := 0
	for _, s := range sources {
		if !s.set {
			continue
		}
		if set++; set == 1 {
			errs = append(errs, s.judge(path.Child(s.field))...)
		}
		if s.kind != m.Type {
			others = append(others, field.Forbidden(path.Child(s.field), "must populate the given metric source only"))
		}
	}
	expected := slices.IndexFunc(sources, func(s source) bool { return s.kind == m.Type })
	switch {
	case expected < 0:
		errs = append(errs, field.NotSupported(kind, m.Type, metricSources))
	case !sources[expected].set:
		errs = append(errs, field.Required(path.Child(sources[expected].field), "must populate information for the given metric source"))
	}
	if set != 1 {
		errs = append(errs, others...)
	}
	return errs
}

func validateObjectMetric(s *autoscalingv2.ObjectMetricSource, rule referenceRule, path *field.Path) field.ErrorList {
	errs := validateVersionedReference(s.DescribedObject, rule, path.Child("describedObject"))
	errs = append(errs, validateMetricIdentifier(s.Metric, path.Child("metric"))...)
	errs = append(errs, validateMetricTarget(s.Target, path.Child("target"))...)
	if s.Target.Value == nil && s.Target.AverageValue == nil {
		errs = append(errs, field.Required(path.Child("target", "averageValue"), "must set either a target value or averageValue"))
	}
	return errs
}

func validateExternalMetric(s *autoscalingv2.ExternalMetricSource, path *field.Path) field.ErrorList {
	errs := validateMetricIdentifier(s.Metric, path.Child("metric"))
	errs = append(errs, validateMetricTarget(s.Target, path.Child("target"))...)
	switch value, average := s.Target.Value != nil, s.Target.AverageValue != nil; {
	case !value && !average:
		errs = append(errs, field.Required(path.Child("target", "averageValue"), "must set either a target value for metric or a per-pod target"))
	case value && average:
		errs = append(errs, field.Forbidden(path.Child("target", "value"), "may not set both a target value for metric and a per-pod target"))
	}
	return errs
}

func validatePodsMetric(s *autoscalingv2.PodsMetricSource, path *field.Path) field.ErrorList {
	errs := validateMetricIdentifier(s.Metric, path.Child("metric"))
	errs = append(errs, validateMetricTarget(s.Target, path.Child("target"))...)
	if s.Target.AverageValue == nil {
		errs = append(errs, field.Required(path.Child("target", "averageValue"), "must specify a positive target averageValue"))
	}
	return errs
}

func validateResourceMetric(s *autoscalingv2.ResourceMetricSource, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), "must specify a resource name"))
	}
	return append(errs, validateResourceTarget(s.Target, path.Child("target"))...)
}

func validateContainerMetric(s *autoscalingv2.ContainerResourceMetricSource, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), "must specify a resource name"))
	} else {
		errs = append(errs, check.ContainerResourceName(s.Name, path.Child("name"))...)
	}
	if s.Container == "" {
		errs = append(errs, field.Required(path.Child("container"), "must specify a container"))
	} else {
		errs = append(errs, check.DNSLabel(s.Container, path.Child("container"))...)
	}
	return append(errs, validateResourceTarget(s.Target, path.Child("target"))...)
}

// validateResourceTarget validates the target of a resource metric.
func validateResourceTarget(t autoscalingv2.MetricTarget, path *field.Path) field.ErrorList {
	errs := validateMetricTarget(t, path)
	switch utilization, value := t.AverageUtilization != nil, t.AverageValue != nil; {
	case !utilization && !value:
		errs = append(errs, field.Required(path.Child("averageUtilization"), "must set either a target raw value or a target utilization"))
	case utilization && value:
		errs = append(errs, field.Forbidden(path.Child("averageValue"), "may not set both a target raw value and a target utilization"))
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/autoscaling/validation/validation.go, validateMetricTarget
func validateMetricTarget(t autoscalingv2.MetricTarget, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if t.Type == "" {
		errs = append(errs, field.Required(path.Child("type"), "must specify a metric target type"))
	}
	switch t.Type {
	case autoscalingv2.UtilizationMetricType, autoscalingv2.ValueMetricType, autoscalingv2.AverageValueMetricType:
	default:
		errs = append(errs, field.Invalid(path.Child("type"), t.Type, "must be either Utilization, Value, or AverageValue"))
	}
	if t.Value != nil && t.Value.Sign() != 1 {
		errs = append(errs, field.Invalid(path.Child("value"), t.Value, "must be positive"))
	}
	if t.AverageValue != nil && t.AverageValue.Sign() != 1 {
		errs = append(errs, field.Invalid(path.Child("averageValue"), t.AverageValue, "must be positive"))
	}
	if t.AverageUtilization != nil && *t.AverageUtilization < 1 {
		errs = append(errs, field.Invalid(path.Child("averageUtilization"), *t.AverageUtilization, "must be greater than 0"))
	}
	return errs
}

func validateMetricIdentifier(id autoscalingv2.MetricIdentifier, path *field.Path) field.ErrorList {
	if id.Name == "" {
		return field.ErrorList{field.Required(path.Child("name"), "must specify a metric name")}
	}
	return check.PathSegment(id.Name, path.Child("name"))
}
