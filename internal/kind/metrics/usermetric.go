package metrics

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/usage"
)

// Metric is the value of a metric that a user has set. The Kubernetes API does not serve it;
// /rowlock/v1/metrics does.
var Metric = kind.Define(kind.Kind{
	Type: object.Type{
		Group: metric.Group, Version: metric.Version, Kind: metric.Kind, Plural: metric.Plural, Namespaced: true,
		New: func() object.Object { return &metric.Metric{} },
	},
	Singular: "metric",
	Internal: true,
}, kind.Functions[*metric.Metric]{
	Default: func(*metric.Metric) {},
})

// RequestsPerSecond is the custom metric that a declared load provides for its object and for the
// Pods that share it.
const RequestsPerSecond = "requests-per-second"

// Value is one value of a custom or external metric.
type Value struct {
	Labels map[string]string
	Value  resource.Quantity
	At     time.Time
	Window time.Duration // zero if it is not a rate
}

// CustomValues looks up custom metrics.
type CustomValues struct {
	cluster kind.Cluster
	work    *Work
}

// CustomMetrics returns the custom metrics of a cluster at a time.
func CustomMetrics(c kind.Cluster, now time.Time) CustomValues {
	return CustomValues{c, WorkAt(c, usage.At(now))}
}

// NamespaceOfMetrics returns the namespace in which custom metrics for objects of a kind are
// stored, given that of the request.
func NamespaceOfMetrics(k *kind.Kind, namespace string) string {
	if k.Namespaced || k == core.Namespace {
		return namespace
	}
	return metric.ClusterNamespace
}

// MetricSelector converts the selector of a metric's labels; nil selects all.
func MetricSelector(s *metav1.LabelSelector) (labels.Selector, error) {
	if s == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(s)
}

// Of returns the value of a metric for an object: the one that a user has set, otherwise the one
// from a declared load; false if there is none, or none that matches the selector.
func (v CustomValues) Of(namespace, name string, of metric.Object, selector labels.Selector) (Value, bool) {
	key := metric.Spec{Metric: name, Object: &of}
	if m, ok := kind.Found[*metric.Metric](v.cluster, metric.Resource, namespace, key.Name()); ok {
		return Value{Labels: m.Spec.Labels, Value: m.Spec.Value, At: m.Spec.At}, selector.Matches(labels.Set(m.Spec.Labels))
	}
	if name != RequestsPerSecond || !selector.Matches(labels.Set{}) {
		return Value{}, false
	}
	requests, ok := v.work.requests(namespace, of)
	return Value{Value: *resource.NewMilliQuantity(int64(math.Round(requests*1000)), resource.DecimalSI), At: v.work.at, Window: usage.Window}, ok
}

// requests returns the requests per second that declared loads send to an object; for a Pod, its
// share.
func (w *Work) requests(namespace string, of metric.Object) (all float64, known bool) {
	if w.cluster == nil {
		return 0, false
	}
	if of.Group == "" && of.Resource == pod.Kind.Plural {
		p, ok := kind.Found[*corev1.Pod](w.cluster, pod.Kind.Resource(), namespace, of.Name)
		if !ok {
			return 0, false
		}
		w.each(p, func(s *workShare) {
			if s.load.Requests && s.pods > 0 {
				all, known = all+s.load.At(w.at)/float64(s.pods), true
			}
		})
		return all, known
	}
	list := w.in(namespace)
	for i := range list {
		s := &list[i]
		if t := s.source.Type; s.load.Requests && t.Group == of.Group && t.Plural == of.Resource && s.source.Name == of.Name {
			return s.load.At(w.at), true
		}
	}
	return 0, false
}

// ExternalMetric returns the values of an external metric in a namespace that match the selector,
// in order of name.
func ExternalMetric(c kind.Cluster, namespace, name string, selector labels.Selector) (values []Value) {
	c.Each(metric.Resource, namespace, func(v *object.Version) bool {
		m, ok := v.Object().(*metric.Metric)
		if ok && m.Spec.Object == nil && m.Spec.Metric == name && selector.Matches(labels.Set(m.Spec.Labels)) {
			values = append(values, Value{Labels: m.Spec.Labels, Value: m.Spec.Value, At: m.Spec.At})
		}
		return true
	})
	return values
}
