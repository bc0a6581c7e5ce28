package horizontalpodautoscaler

import (
	"fmt"
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// proposal is how many replicas a metric proposes.
type proposal struct {
	replicas int32
	metric   string // its name in events and conditions
	status   autoscalingv2.MetricStatus
}

// failure is why a metric proposes nothing.
type failure struct {
	reason string // of the event and the condition ScalingActive
	err    string
	whole  string // err and the metric it is about
}

// propose evaluates all metrics. The highest proposal wins. err is not empty if nothing may be
// done: all metrics have failed, or some have failed and the others propose fewer replicas.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeReplicasForMetrics
func (y *sync) propose() (most proposal, statuses []autoscalingv2.MetricStatus, err string) {
	if err := y.checkSelector(); err != "" {
		return proposal{}, nil, err
	}
	var first failure
	failed := 0
	statuses = make([]autoscalingv2.MetricStatus, len(y.spec.Metrics))
	for i := range y.spec.Metrics {
		var reading Reading
		if i < len(y.Readings) {
			reading = y.Readings[i]
		}
		p, f := y.ask(&y.spec.Metrics[i], reading)
		if f.err != "" {
			y.event(corev1.EventTypeWarning, f.reason, f.err)
			if failed++; failed == 1 {
				first = f
			}
			continue
		}
		statuses[i] = p.status
		if most.replicas == 0 || p.replicas > most.replicas {
			most = p
		}
	}
	if failed == len(y.spec.Metrics) || failed > 0 && most.replicas < y.Target.Replicas {
		y.condition(autoscalingv2.ScalingActive, corev1.ConditionFalse, first.reason, "the HPA was unable to compute the replica count: "+first.err)
		return proposal{replicas: noReplicas}, statuses,
			fmt.Sprintf("invalid metrics (%d invalid out of %d), first error is: %s", failed, len(y.spec.Metrics), first.whole)
	}
	y.condition(autoscalingv2.ScalingActive, corev1.ConditionTrue, "ValidMetricFound",
		"the HPA was able to successfully calculate a replica count from "+most.metric)
	return most, statuses, ""
}

// checkSelector says what is wrong with the target's selector; "" if nothing is.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, validateAndParseSelector
func (y *sync) checkSelector() string {
	if y.Target.Selector == "" {
		y.event(corev1.EventTypeWarning, "SelectorRequired", "selector is required")
		y.condition(autoscalingv2.ScalingActive, corev1.ConditionFalse, reasonInvalidSelector, "the HPA target's scale is missing a selector")
		return "selector is required"
	}
	if len(y.Selecting) < 2 {
		return ""
	}
	type key struct{ Name, Namespace string } // printed as upstream prints it
	keys := make([]key, len(y.Selecting))
	for i, name := range y.Selecting {
		keys[i] = key{name, y.Autoscaler.Namespace}
	}
	err := fmt.Sprintf("pods by selector %v are controlled by multiple HPAs: %v", y.Target.Selector, keys)
	y.event(corev1.EventTypeWarning, reasonAmbiguousSelector, err)
	y.condition(autoscalingv2.ScalingActive, corev1.ConditionFalse, reasonAmbiguousSelector, err)
	return err
}

// ask evaluates one metric.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeReplicasForMetric
func (y *sync) ask(m *autoscalingv2.MetricSpec, r Reading) (p proposal, f failure) {
	p.status.Type = m.Type
	switch {
	case m.Type == autoscalingv2.ObjectMetricSourceType && m.Object != nil:
		f.reason = "FailedGetObjectMetric"
		f.err = y.askObject(m.Object, r, &p)
		f.whole = "failed to get object metric value: " + f.err
	case m.Type == autoscalingv2.PodsMetricSourceType && m.Pods != nil:
		f.reason = "FailedGetPodsMetric"
		f.err = y.askPods(m.Pods, r, &p)
		f.whole = "failed to get pods metric value: " + f.err
	case m.Type == autoscalingv2.ResourceMetricSourceType && m.Resource != nil:
		f.reason = "FailedGetResourceMetric"
		p.status.Resource = &autoscalingv2.ResourceMetricStatus{Name: m.Resource.Name}
		f.err = y.askResource(resourceMetric{m.Resource.Name, "", m.Resource.Target}, r, &p, &p.status.Resource.Current)
		f.whole = fmt.Sprintf("failed to get %s resource metric value: %s", m.Resource.Name, f.err)
	case m.Type == autoscalingv2.ContainerResourceMetricSourceType && m.ContainerResource != nil:
		c := m.ContainerResource
		f.reason = "FailedGetContainerResourceMetric"
		p.status.ContainerResource = &autoscalingv2.ContainerResourceMetricStatus{Name: c.Name, Container: c.Container}
		f.err = y.askResource(resourceMetric{c.Name, c.Container, c.Target}, r, &p, &p.status.ContainerResource.Current)
		f.whole = fmt.Sprintf("failed to get %s container metric value: %s", c.Container, f.err)
	case m.Type == autoscalingv2.ExternalMetricSourceType && m.External != nil:
		f.reason = "FailedGetExternalMetric"
		f.err = y.askExternal(m.External, r, &p)
		f.whole = fmt.Sprintf("failed to get %s external metric value: %s", m.External.Metric.Name, f.err)
	default:
		f.reason, f.err = "InvalidMetricSourceType", fmt.Sprintf("unknown metric source type %q", string(m.Type))
		f.whole = f.err
	}
	return p, f
}

// askObject evaluates a metric of one object.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeStatusForObjectMetric, and replica_calculator.go,
// GetObjectMetricReplicas and GetObjectPerPodMetricReplicas
func (y *sync) askObject(m *autoscalingv2.ObjectMetricSource, r Reading, p *proposal) (err string) {
	status := &autoscalingv2.ObjectMetricStatus{DescribedObject: m.DescribedObject, Metric: m.Metric}
	p.status.Object = status
	unread := ""
	if r.Err != "" {
		unread = fmt.Sprintf("unable to get metric %s: unable to fetch metrics from custom metrics API: %s on %s %s/%s",
			m.Metric.Name, r.Err, m.DescribedObject.Kind, y.Autoscaler.Namespace, m.DescribedObject.Name)
	}
	value := sum(r.Values)
	switch {
	case m.Target.Type == autoscalingv2.ValueMetricType && m.Target.Value != nil:
		if unread != "" {
			return unread
		}
		p.replicas, err = y.byRatio(float64(value) / float64(m.Target.Value.MilliValue()))
		p.metric = m.DescribedObject.Kind + " metric " + m.Metric.Name
		status.Current.Value = milli(value)
		return err
	case m.Target.Type == autoscalingv2.AverageValueMetricType && m.Target.AverageValue != nil:
		if unread != "" {
			return fmt.Sprintf("failed to get %s object metric: %s", m.Metric.Name, unread)
		}
		p.replicas, value = y.perPod(value, m.Target.AverageValue.MilliValue())
		p.metric = selected(m.Metric)
		status.Current.AverageValue = milli(value)
		return ""
	}
	return "invalid object metric source: neither a value target nor an average value target was set"
}

// askExternal evaluates a metric from outside the cluster.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeStatusForExternalMetric, and replica_calculator.go,
// GetExternalMetricReplicas and GetExternalPerPodMetricReplicas
func (y *sync) askExternal(m *autoscalingv2.ExternalMetricSource, r Reading, p *proposal) (err string) {
	status := &autoscalingv2.ExternalMetricStatus{Metric: m.Metric}
	p.status.External = status
	p.metric = selected(m.Metric)
	unread := ""
	if r.Err != "" {
		unread = fmt.Sprintf("unable to get external metric %s/%s/%s: %s", y.Autoscaler.Namespace, m.Metric.Name, printed(m.Metric.Selector), r.Err)
	}
	value := sum(r.Values)
	switch {
	case m.Target.AverageValue != nil:
		if unread != "" {
			return fmt.Sprintf("failed to get %s external metric: %s", m.Metric.Name, unread)
		}
		p.replicas, value = y.perPod(value, m.Target.AverageValue.MilliValue())
		status.Current.AverageValue = milli(value)
		return ""
	case m.Target.Value != nil:
		if unread == "" {
			p.replicas, unread = y.byRatio(float64(value) / float64(m.Target.Value.MilliValue()))
		}
		if unread != "" {
			return fmt.Sprintf("failed to get external metric %s: %s", m.Metric.Name, unread)
		}
		status.Current.Value = milli(value)
		return ""
	}
	return "invalid external metric source: neither a value target nor an average value target was set"
}

// askPods evaluates a metric that every Pod has.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeStatusForPodsMetric
func (y *sync) askPods(m *autoscalingv2.PodsMetricSource, r Reading, p *proposal) string {
	if r.Err != "" {
		return fmt.Sprintf("unable to get metric %s: %s", m.Metric.Name, r.Err)
	}
	if m.Target.AverageValue == nil {
		return "invalid pods metric source: no average value target was set"
	}
	use, err := y.calculate(calculation{samples: r.Samples, target: m.Target.AverageValue.MilliValue()})
	p.replicas, p.metric = use.replicas, "pods metric "+m.Metric.Name
	p.status.Pods = &autoscalingv2.PodsMetricStatus{Metric: m.Metric, Current: autoscalingv2.MetricValueStatus{AverageValue: milli(use.average)}}
	return err
}

// resourceMetric is the common part of two kinds of metrics: the resource usage of Pods, or of one
// of their containers.
type resourceMetric struct {
	resource  corev1.ResourceName
	container string // "" for all
	target    autoscalingv2.MetricTarget
}

// askResource evaluates the resource usage of Pods.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, computeStatusForResourceMetricGeneric
func (y *sync) askResource(m resourceMetric, r Reading, p *proposal, status *autoscalingv2.MetricValueStatus) string {
	c := calculation{samples: r.Samples, resource: m.resource}
	what := "utilization"
	switch {
	case m.target.AverageValue != nil:
		what, c.target = "usage", m.target.AverageValue.MilliValue()
		p.metric = string(m.resource) + " resource"
	case m.target.AverageUtilization != nil:
		c.target, c.relative, c.container = int64(*m.target.AverageUtilization), true, m.container
		p.metric = string(m.resource) + " resource utilization (percentage of request)"
		if m.container != "" {
			p.metric = string(m.resource) + " container resource utilization (percentage of request)"
		}
	default:
		return "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"
	}
	err := ""
	var use outcome
	if r.Err != "" {
		err = fmt.Sprintf("unable to get metrics for resource %s: %s", m.resource, r.Err)
	} else {
		use, err = y.calculate(c)
	}
	if err != "" {
		return fmt.Sprintf("failed to get %s %s: %s", m.resource, what, err)
	}
	p.replicas = use.replicas
	status.AverageValue = milli(use.average)
	if m.resource == corev1.ResourceMemory {
		status.AverageValue = resource.NewMilliQuantity(use.average, resource.BinarySI)
	}
	if c.relative {
		status.AverageUtilization = &use.utilization
	}
	return ""
}

// selected names a metric with its selector.
func selected(m autoscalingv2.MetricIdentifier) string {
	return fmt.Sprintf("external metric %s(%s)", m.Name, printed(m.Selector))
}

// printed is a selector as in upstream's messages.
func printed(s *metav1.LabelSelector) string { return fmt.Sprintf("%+v", s) }

func milli(value int64) *resource.Quantity {
	return resource.NewMilliQuantity(value, resource.DecimalSI)
}

// sum adds up the values, and saturates at the largest number.
func sum(values []int64) (total int64) {
	for _, v := range values {
		if v > 0 && total > math.MaxInt64-v {
			return math.MaxInt64
		}
		total += v
	}
	return total
}
