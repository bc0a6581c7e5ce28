package autoscaling

import (
	"fmt"
	"maps"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/object"
)

// HorizontalPodAutoscaler is autoscaling/v2 HorizontalPodAutoscaler, the version in which all are
// stored: the range of a workload's replicas, and the metrics that determine their number.
//
// Source: kubernetes v1.36 pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
var HorizontalPodAutoscaler = kind.Define(kind.Kind{
	Type: object.Type{
		Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler", Plural: "horizontalpodautoscalers", Namespaced: true,
		New: func() object.Object { return &autoscalingv2.HorizontalPodAutoscaler{} },
	},
	Singular:   "horizontalpodautoscaler",
	ShortNames: []string{"hpa"},
	Categories: []string{"all"},
	NewList:    func() runtime.Object { return &autoscalingv2.HorizontalPodAutoscalerList{} },

	Status: kind.Through(kind.Write[*autoscalingv2.HorizontalPodAutoscaler]{
		Prepare: func(next, old *autoscalingv2.HorizontalPodAutoscaler) {
			next.Spec = *old.Spec.DeepCopy()
		},
		Validate: func(hpa, was *autoscalingv2.HorizontalPodAutoscaler) field.ErrorList {
			errs := check.MetaUpdate(&hpa.ObjectMeta, &was.ObjectMeta)
			return append(errs, check.Counts(field.NewPath("status"), check.Count("currentReplicas", int64(hpa.Status.CurrentReplicas)),
				check.Count("desiredReplicas", int64(hpa.Status.DesiredReplicas)))...)
		},
	}),

	Columns: []metav1.TableColumnDefinition{
		kind.NameColumn,
		{Name: "Reference", Type: "string", Description: autoscalingv2.HorizontalPodAutoscalerSpec{}.SwaggerDoc()["scaleTargetRef"]},
		{Name: "Targets", Type: "string", Description: autoscalingv2.HorizontalPodAutoscalerSpec{}.SwaggerDoc()["metrics"]},
		{Name: "MinPods", Type: "string", Description: autoscalingv2.HorizontalPodAutoscalerSpec{}.SwaggerDoc()["minReplicas"]},
		{Name: "MaxPods", Type: "string", Description: autoscalingv2.HorizontalPodAutoscalerSpec{}.SwaggerDoc()["maxReplicas"]},
		{Name: "Replicas", Type: "string", Description: autoscalingv2.HorizontalPodAutoscalerStatus{}.SwaggerDoc()["currentReplicas"]},
		kind.AgeColumn,
	},
	Row:                 autoscalerRow,
	UnconditionalUpdate: true,
}, kind.Functions[*autoscalingv2.HorizontalPodAutoscaler]{
	Default: defaultAutoscaler,
	PrepareCreate: func(o *autoscalingv2.HorizontalPodAutoscaler) {
		o.Status = autoscalingv2.HorizontalPodAutoscalerStatus{}
	},
	PrepareUpdate: func(next, old *autoscalingv2.HorizontalPodAutoscaler) {
		next.Status = *old.Status.DeepCopy()
	},
	Validate: func(o *autoscalingv2.HorizontalPodAutoscaler) field.ErrorList {
		return validateAutoscaler(o, nil)
	},
	ValidateUpdate: validateAutoscaler,
	Warnings:       warnOfAutoscaler,
})

// defaultUtilization is the default target: the average CPU usage of Pods in per cent of their
// requests.
const defaultUtilization = 80

// defaultMetrics returns the metrics of an autoscaler without any.
func defaultMetrics(utilization int32) []autoscalingv2.MetricSpec {
	return []autoscalingv2.MetricSpec{{
		Type: autoscalingv2.ResourceMetricSourceType,
		Resource: &autoscalingv2.ResourceMetricSource{
			Name:   corev1.ResourceCPU,
			Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization},
		},
	}}
}

// defaultAutoscaler sets minReplicas to 1, the default metric, and defaults of scaling rules if
// there are any. It drops the annotations of older versions, because v2 has fields for them.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/v2/defaults.go and conversion.go
func defaultAutoscaler(hpa *autoscalingv2.HorizontalPodAutoscaler) {
	hpa.Annotations = withoutRoundTrip(hpa.Annotations)
	kind.SetDefault(&hpa.Spec.MinReplicas, 1)
	if len(hpa.Spec.Metrics) == 0 {
		hpa.Spec.Metrics = defaultMetrics(defaultUtilization)
	}
	b := hpa.Spec.Behavior
	if b == nil {
		return
	}
	const periodSeconds, percent, pods = 15, 100, 4
	byPercent := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: percent, PeriodSeconds: periodSeconds}
	byPods := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: pods, PeriodSeconds: periodSeconds}
	kind.SetDefault(&b.ScaleUp, autoscalingv2.HPAScalingRules{})
	defaultScaling(b.ScaleUp, byPods, byPercent)
	kind.SetDefault(&b.ScaleUp.StabilizationWindowSeconds, 0)
	kind.SetDefault(&b.ScaleDown, autoscalingv2.HPAScalingRules{})
	defaultScaling(b.ScaleDown, byPercent)
}

func defaultScaling(r *autoscalingv2.HPAScalingRules, policies ...autoscalingv2.HPAScalingPolicy) {
	kind.SetDefault(&r.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if r.Policies == nil {
		r.Policies = policies
	}
}

// Annotations that carry fields which older versions of the kind lack.
//
// Source: kubernetes v1.36 pkg/apis/autoscaling/annotations.go
const (
	autoscalerAnnotation         = "autoscaling.alpha.kubernetes.io/"
	metricsAnnotation            = autoscalerAnnotation + "metrics"
	currentMetricsAnnotation     = autoscalerAnnotation + "current-metrics"
	conditionsAnnotation         = autoscalerAnnotation + "conditions"
	behaviorAnnotation           = autoscalerAnnotation + "behavior"
	scaleDownToleranceAnnotation = autoscalerAnnotation + "scale-down-tolerance"
	scaleUpToleranceAnnotation   = autoscalerAnnotation + "scale-up-tolerance"
)

// withoutRoundTrip returns the annotations without these; it returns the same map if there are
// none.
func withoutRoundTrip(annotations map[string]string) map[string]string {
	names := []string{
		metricsAnnotation, currentMetricsAnnotation, conditionsAnnotation, behaviorAnnotation, scaleDownToleranceAnnotation, scaleUpToleranceAnnotation,
	}
	out, copied := annotations, false
	for _, name := range names {
		if _, ok := annotations[name]; !ok {
			continue
		}
		if !copied {
			out, copied = maps.Clone(annotations), true
		}
		delete(out, name)
	}
	return out
}

// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, printHorizontalPodAutoscaler
func autoscalerRow(o object.Object, now time.Time) []any {
	hpa, least := o.(*autoscalingv2.HorizontalPodAutoscaler), "<unset>"
	if n := hpa.Spec.MinReplicas; n != nil {
		least = fmt.Sprint(*n)
	}
	target := hpa.Spec.ScaleTargetRef
	return []any{
		hpa.Name, target.Kind + "/" + target.Name, metricsCell(hpa.Spec.Metrics, hpa.Status.CurrentMetrics), least,
		int64(hpa.Spec.MaxReplicas), int64(hpa.Status.CurrentReplicas), kind.Age(hpa.CreationTimestamp, now),
	}
}

// metricsCell prints the current and target values of two metrics, and the number of further ones.
// Statuses are in the order of the metrics.
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, formatHPAMetrics
func metricsCell(specs []autoscalingv2.MetricSpec, statuses []autoscalingv2.MetricStatus) string {
	const most = 2
	if len(specs) == 0 {
		return "<none>"
	}
	var list []string
	for i := range specs[:min(most, len(specs))] {
		var status autoscalingv2.MetricStatus
		if i < len(statuses) {
			status = statuses[i]
		}
		list = append(list, metricCell(&specs[i], &status))
	}
	cell := strings.Join(list, ", ")
	if more := len(specs) - most; more > 0 {
		cell += fmt.Sprintf(" + %d more...", more)
	}
	return cell
}

// metricCell prints one metric: "cpu: 12%/80%", "500m/1 (avg)".
func metricCell(spec *autoscalingv2.MetricSpec, status *autoscalingv2.MetricStatus) string {
	switch {
	case spec.Type == autoscalingv2.ExternalMetricSourceType && spec.External != nil:
		var is *autoscalingv2.MetricValueStatus
		if status.External != nil {
			is = &status.External.Current
		}
		return valueCell(&spec.External.Target, is)
	case spec.Type == autoscalingv2.ObjectMetricSourceType && spec.Object != nil:
		var is *autoscalingv2.MetricValueStatus
		if status.Object != nil {
			is = &status.Object.Current
		}
		return valueCell(&spec.Object.Target, is)
	case spec.Type == autoscalingv2.PodsMetricSourceType && spec.Pods != nil:
		is := "<unknown>"
		if status.Pods != nil {
			is = quantityCell(status.Pods.Current.AverageValue)
		}
		return is + "/" + quantityCell(spec.Pods.Target.AverageValue)
	case spec.Type == autoscalingv2.ResourceMetricSourceType && spec.Resource != nil:
		var is *autoscalingv2.MetricValueStatus
		if status.Resource != nil {
			is = &status.Resource.Current
		}
		return resourceCell(spec.Resource.Name, &spec.Resource.Target, is)
	case spec.Type == autoscalingv2.ContainerResourceMetricSourceType && spec.ContainerResource != nil:
		var is *autoscalingv2.MetricValueStatus
		if status.ContainerResource != nil {
			is = &status.ContainerResource.Current
		}
		return resourceCell(spec.ContainerResource.Name, &spec.ContainerResource.Target, is)
	}
	return "<unknown type>"
}

// valueCell prints a metric that is a value, or an average per Pod; is may be nil.
func valueCell(want *autoscalingv2.MetricTarget, is *autoscalingv2.MetricValueStatus) string {
	current := "<unknown>"
	if want.AverageValue != nil {
		if is != nil && is.AverageValue != nil {
			current = is.AverageValue.String()
		}
		return current + "/" + want.AverageValue.String() + " (avg)"
	}
	if is != nil {
		current = quantityCell(is.Value)
	}
	return current + "/" + quantityCell(want.Value)
}

// resourceCell prints the average usage of a resource, as a quantity or in per cent of requests; is
// may be nil.
func resourceCell(name corev1.ResourceName, want *autoscalingv2.MetricTarget, is *autoscalingv2.MetricValueStatus) string {
	current, target := "<unknown>", "<auto>"
	switch {
	case want.AverageValue != nil:
		if is != nil {
			current = quantityCell(is.AverageValue)
		}
		target = want.AverageValue.String()
	default:
		if is != nil && is.AverageUtilization != nil {
			current = fmt.Sprintf("%d%%", *is.AverageUtilization)
		}
		if want.AverageUtilization != nil {
			target = fmt.Sprintf("%d%%", *want.AverageUtilization)
		}
	}
	return string(name) + ": " + current + "/" + target
}

// quantityCell prints a quantity; nil as Go prints nil pointers.
func quantityCell(q *resource.Quantity) string {
	if q == nil {
		return "<nil>"
	}
	return q.String()
}
