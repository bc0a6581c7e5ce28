package workload

import (
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/reconcile/horizontalpodautoscaler"
	"github.com/rowlock/rowlock/internal/usage"
)

// readings returns the readings of an autoscaler's metrics.
func (w controllers) readings(v mirror.View, hpa *autoscalingv2.HorizontalPodAutoscaler, pods []*corev1.Pod, now time.Time) []horizontalpodautoscaler.Reading {
	var used []*metricsv1beta1.PodMetrics // measured once for all resource metrics
	measured := func() []*metricsv1beta1.PodMetrics {
		if used == nil {
			used = metrics.MetricsOfPods(v, pods, now)
		}
		return used
	}
	list := make([]horizontalpodautoscaler.Reading, len(hpa.Spec.Metrics))
	for i := range hpa.Spec.Metrics {
		switch m := &hpa.Spec.Metrics[i]; {
		case m.Resource != nil:
			list[i] = usedOf(measured(), m.Resource.Name, "")
		case m.ContainerResource != nil:
			list[i] = usedOf(measured(), m.ContainerResource.Name, m.ContainerResource.Container)
		case m.Pods != nil:
			list[i] = metricOfPods(v, m.Pods.Metric, pods, now)
		case m.Object != nil:
			list[i] = w.metricOfObject(v, m.Object, hpa.Namespace, now)
		case m.External != nil:
			list[i] = externalMetric(v, m.External.Metric, hpa.Namespace)
		}
	}
	return list
}

// metricOfPods returns the values of a custom metric for Pods.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/client.go, GetRawMetric
func metricOfPods(v mirror.View, of autoscalingv2.MetricIdentifier, pods []*corev1.Pod, now time.Time) (r horizontalpodautoscaler.Reading) {
	selector, err := metrics.MetricSelector(of.Selector)
	if err != nil {
		return horizontalpodautoscaler.Reading{Err: err.Error()}
	}
	values := metrics.CustomMetrics(v, now)
	r.Samples = make(map[string]horizontalpodautoscaler.Sample, len(pods))
	for _, pod := range pods {
		value, ok := values.Of(pod.Namespace, of.Name, metric.Object{Resource: podkind.Kind.Plural, Name: pod.Name}, selector)
		if !ok {
			continue
		}
		if value.Window == 0 {
			value.Window = usage.Window
		}
		r.Samples[pod.Name] = horizontalpodautoscaler.Sample{Value: value.Value.MilliValue(), At: value.At, Window: value.Window}
	}
	if len(r.Samples) == 0 {
		r.Err = fmt.Sprintf("unable to fetch metrics from custom metrics API: the server could not find the metric %s for pods", of.Name)
	}
	return r
}

// metricOfObject returns the value of a custom metric for one object.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/client.go, GetObjectMetric, which reads the namespace's own metric
// whatever the name in the reference is
func (w controllers) metricOfObject(v mirror.View, m *autoscalingv2.ObjectMetricSource, namespace string, now time.Time) (r horizontalpodautoscaler.Reading) {
	selector, err := metrics.MetricSelector(m.Metric.Selector)
	if err != nil {
		return horizontalpodautoscaler.Reading{Err: err.Error()}
	}
	of := schema.FromAPIVersionAndKind(m.DescribedObject.APIVersion, m.DescribedObject.Kind)
	for _, k := range w.Kinds.Stored() {
		if k.Group != of.Group || k.Kind != of.Kind || k.Internal {
			continue
		}
		described := metric.Object{Group: k.Group, Resource: k.Plural, Name: m.DescribedObject.Name}
		if k == core.Namespace {
			described.Name = namespace
		}
		if value, ok := metrics.CustomMetrics(v, now).Of(metrics.NamespaceOfMetrics(k, namespace), m.Metric.Name, described, selector); ok {
			return horizontalpodautoscaler.Reading{Values: []int64{value.Value.MilliValue()}}
		}
		r.Err = fmt.Sprintf("the server could not find the metric %s for %s %s", m.Metric.Name,
			schema.GroupResource{Group: k.Group, Resource: k.Plural}, described.Name)
		return r
	}
	r.Err = fmt.Sprintf("unable to map kind %s to resource: no matches for kind %q in group %q", of.GroupKind(), of.Kind, of.Group)
	return r
}

// externalMetric returns all values of an external metric.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/client.go, GetExternalMetric
func externalMetric(v mirror.View, of autoscalingv2.MetricIdentifier, namespace string) (r horizontalpodautoscaler.Reading) {
	selector, err := metrics.MetricSelector(of.Selector)
	if err != nil {
		return horizontalpodautoscaler.Reading{Err: err.Error()}
	}
	for _, value := range metrics.ExternalMetric(v, namespace, of.Name, selector) {
		r.Values = append(r.Values, value.Value.MilliValue())
	}
	if len(r.Values) == 0 {
		r.Err = "no metrics returned from external metrics API"
	}
	return r
}

// usedOf returns how much of a resource Pods use, or their containers of one name; "" means all
// containers.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/metrics/client.go, GetResourceMetric
func usedOf(pods []*metricsv1beta1.PodMetrics, resource corev1.ResourceName, container string) (r horizontalpodautoscaler.Reading) {
	if len(pods) == 0 {
		r.Err = "no metrics returned from resource metrics API"
		return r
	}
	r.Samples = make(map[string]horizontalpodautoscaler.Sample, len(pods))
	for _, m := range pods {
		sample, known := horizontalpodautoscaler.Sample{At: m.Timestamp.Time, Window: m.Window.Duration}, false
		for _, c := range m.Containers {
			if container != "" && container != c.Name {
				continue
			}
			q, ok := c.Usage[resource]
			sample.Value += q.MilliValue()
			if known = ok; !ok {
				break
			}
		}
		if known {
			r.Samples[m.Name] = sample
		}
	}
	return r
}
