package autoscaling

import (
	"encoding/json"
	"maps"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// HorizontalPodAutoscalerV1 is autoscaling/v1 HorizontalPodAutoscaler, a view of autoscaling/v2. It
// has one field for CPU utilization, and keeps other metrics, scaling rules and conditions in
// annotations.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/v1/conversion.go
var HorizontalPodAutoscalerV1 = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler", Plural: "horizontalpodautoscalers", Namespaced: true,
		New: func() object.Object { return &autoscalingv1.HorizontalPodAutoscaler{} },
	},
	Singular:   "horizontalpodautoscaler",
	ShortNames: []string{"hpa"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &autoscalingv1.HorizontalPodAutoscalerList{} },

	Status: HorizontalPodAutoscaler.Status,

	Columns:             HorizontalPodAutoscaler.Columns,
	UnconditionalUpdate: true,

	Stored: &kind.Conversion{
		Kind: HorizontalPodAutoscaler,
		From: func(stored object.Object) object.Object {
			return viewAutoscaler(stored.(*autoscalingv2.HorizontalPodAutoscaler))
		},
		To: func(o object.Object) object.Object {
			return storedAutoscaler(o.(*autoscalingv1.HorizontalPodAutoscaler))
		},
	},
}, kind.Functions[*autoscalingv1.HorizontalPodAutoscaler]{
	Default: func(o *autoscalingv1.HorizontalPodAutoscaler) {
		kind.SetDefault(&o.Spec.MinReplicas, 1)
	},
	Validate: func(o *autoscalingv1.HorizontalPodAutoscaler) field.ErrorList {
		return validateAutoscaler(storedAutoscaler(o), nil)
	},
	ValidateUpdate: func(next, old *autoscalingv1.HorizontalPodAutoscaler) field.ErrorList {
		return validateAutoscaler(storedAutoscaler(next), storedAutoscaler(old))
	},
	Row: func(o *autoscalingv1.HorizontalPodAutoscaler, now time.Time) []any {
		return autoscalerRow(storedAutoscaler(o), now)
	},
})

// Scaling rules as in the annotation: with Go's field names, because upstream encodes an internal
// type.
type (
	annotatedBehavior struct{ ScaleUp, ScaleDown *annotatedRules }
	annotatedRules    struct {
		StabilizationWindowSeconds *int32
		SelectPolicy               *autoscalingv2.ScalingPolicySelect
		Policies                   []annotatedPolicy
		Tolerance                  *resource.Quantity
	}
	annotatedPolicy struct {
		Type          autoscalingv2.HPAScalingPolicyType
		Value         int32
		PeriodSeconds int32
	}
)

// usesCPU reports whether a metric is the one that autoscaling/v1 has a field for.
func usesCPU(m *autoscalingv2.MetricSpec) bool {
	return m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil && m.Resource.Name == corev1.ResourceCPU &&
		m.Resource.Target.AverageUtilization != nil
}

// viewAutoscaler converts a stored autoscaler to autoscaling/v1. The result shares nothing with it.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/v1/conversion.go, Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler
func viewAutoscaler(stored *autoscalingv2.HorizontalPodAutoscaler) *autoscalingv1.HorizontalPodAutoscaler {
	in := stored.DeepCopy()
	out := &autoscalingv1.HorizontalPodAutoscaler{
		ObjectMeta: in.ObjectMeta,
		Spec: autoscalingv1.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv1.CrossVersionObjectReference(in.Spec.ScaleTargetRef),
			MinReplicas:    in.Spec.MinReplicas, MaxReplicas: in.Spec.MaxReplicas,
		},
		Status: autoscalingv1.HorizontalPodAutoscalerStatus{
			ObservedGeneration: in.Status.ObservedGeneration, LastScaleTime: in.Status.LastScaleTime,
			CurrentReplicas: in.Status.CurrentReplicas, DesiredReplicas: in.Status.DesiredReplicas,
		},
	}
	out.Annotations = withoutRoundTrip(out.Annotations)
	var others []autoscalingv1.MetricSpec
	for i := range in.Spec.Metrics {
		m := &in.Spec.Metrics[i]
		switch {
		case !usesCPU(m):
			others = append(others, viewMetric(m))
		case out.Spec.TargetCPUUtilizationPercentage == nil:
			out.Spec.TargetCPUUtilizationPercentage = m.Resource.Target.AverageUtilization
		}
	}
	var current []autoscalingv1.MetricStatus
	for i := range in.Status.CurrentMetrics {
		m := &in.Status.CurrentMetrics[i]
		current = append(current, viewMetricStatus(m))
		ofCPU := m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil && m.Resource.Name == corev1.ResourceCPU
		if ofCPU && m.Resource.Current.AverageUtilization != nil {
			out.Status.CurrentCPUUtilizationPercentage = m.Resource.Current.AverageUtilization
		}
	}
	var conditions []autoscalingv1.HorizontalPodAutoscalerCondition
	for _, c := range in.Status.Conditions {
		conditions = append(conditions, autoscalingv1.HorizontalPodAutoscalerCondition{
			Type: autoscalingv1.HorizontalPodAutoscalerConditionType(c.Type), Status: c.Status, LastTransitionTime: c.LastTransitionTime,
			Reason: c.Reason, Message: c.Message,
		})
	}
	annotate(out, metricsAnnotation, others, len(others) > 0)
	annotate(out, currentMetricsAnnotation, current, len(current) > 0)
	annotate(out, conditionsAnnotation, conditions, len(conditions) > 0)
	if b := in.Spec.Behavior; b != nil {
		annotate(out, behaviorAnnotation, annotatedBehavior{annotateRules(b.ScaleUp), annotateRules(b.ScaleDown)}, true)
	}
	return out
}

// annotate sets an annotation to a value's JSON if present is true.
func annotate(out *autoscalingv1.HorizontalPodAutoscaler, name string, value any, present bool) {
	if !present {
		return
	}
	doc, err := json.Marshal(value)
	if err != nil {
		return // cannot happen: plain types always encode
	}
	if out.Annotations == nil {
		out.Annotations = map[string]string{}
	}
	out.Annotations[name] = string(doc)
}

func annotateRules(r *autoscalingv2.HPAScalingRules) *annotatedRules {
	if r == nil {
		return nil
	}
	out := &annotatedRules{StabilizationWindowSeconds: r.StabilizationWindowSeconds, SelectPolicy: r.SelectPolicy, Tolerance: r.Tolerance}
	for _, p := range r.Policies {
		out.Policies = append(out.Policies, annotatedPolicy(p))
	}
	return out
}

func rulesOfAnnotation(r *annotatedRules) *autoscalingv2.HPAScalingRules {
	if r == nil {
		return nil
	}
	out := &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: r.StabilizationWindowSeconds, SelectPolicy: r.SelectPolicy, Tolerance: r.Tolerance}
	for _, p := range r.Policies {
		out.Policies = append(out.Policies, autoscalingv2.HPAScalingPolicy(p))
	}
	return out
}

// storedAutoscaler converts an autoscaler to its stored version. The result shares nothing with it.
// Annotations that do not decode are dropped.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/v1/conversion.go, Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler
func storedAutoscaler(view *autoscalingv1.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscaler {
	in := view.DeepCopy()
	out := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: in.ObjectMeta,
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference(in.Spec.ScaleTargetRef),
			MinReplicas:    in.Spec.MinReplicas, MaxReplicas: in.Spec.MaxReplicas,
		},
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			ObservedGeneration: in.Status.ObservedGeneration, LastScaleTime: in.Status.LastScaleTime,
			CurrentReplicas: in.Status.CurrentReplicas, DesiredReplicas: in.Status.DesiredReplicas,
		},
	}
	for _, m := range fromAnnotation[[]autoscalingv1.MetricSpec](in, metricsAnnotation) {
		out.Spec.Metrics = append(out.Spec.Metrics, storedMetric(&m))
	}
	if use := in.Spec.TargetCPUUtilizationPercentage; use != nil {
		out.Spec.Metrics = append(out.Spec.Metrics, defaultMetrics(*use)...)
	}
	if len(out.Spec.Metrics) == 0 {
		out.Spec.Metrics = defaultMetrics(defaultUtilization)
	}
	if b := fromAnnotation[annotatedBehavior](in, behaviorAnnotation); b != (annotatedBehavior{}) {
		out.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp: rulesOfAnnotation(b.ScaleUp), ScaleDown: rulesOfAnnotation(b.ScaleDown),
		}
	}
	restoreStatus(in, out)
	out.Annotations = withoutRoundTrip(maps.Clone(in.Annotations))
	return out
}

// restoreStatus sets the part of the status that autoscaling/v1 keeps in annotations.
func restoreStatus(in *autoscalingv1.HorizontalPodAutoscaler, out *autoscalingv2.HorizontalPodAutoscaler) {
	if use := in.Status.CurrentCPUUtilizationPercentage; use != nil {
		out.Status.CurrentMetrics = []autoscalingv2.MetricStatus{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricStatus{
				Name: corev1.ResourceCPU, Current: autoscalingv2.MetricValueStatus{AverageUtilization: use},
			},
		}}
	}
	if current := fromAnnotation[[]autoscalingv1.MetricStatus](in, currentMetricsAnnotation); current != nil {
		out.Status.CurrentMetrics = nil
		for i := range current {
			out.Status.CurrentMetrics = append(out.Status.CurrentMetrics, storedMetricStatus(&current[i]))
		}
	}
	for _, c := range fromAnnotation[[]autoscalingv1.HorizontalPodAutoscalerCondition](in, conditionsAnnotation) {
		out.Status.Conditions = append(out.Status.Conditions, autoscalingv2.HorizontalPodAutoscalerCondition{
			Type: autoscalingv2.HorizontalPodAutoscalerConditionType(c.Type), Status: c.Status, LastTransitionTime: c.LastTransitionTime,
			Reason: c.Reason, Message: c.Message,
		})
	}
}

// fromAnnotation decodes an annotation. It returns the zero value if that is missing or invalid.
func fromAnnotation[T any](in *autoscalingv1.HorizontalPodAutoscaler, name string) (value T) {
	doc, ok := in.Annotations[name]
	if !ok || json.Unmarshal([]byte(doc), &value) != nil {
		var zero T
		return zero
	}
	return value
}
