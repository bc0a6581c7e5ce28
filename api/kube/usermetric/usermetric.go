package usermetric

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	custommetricsv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	custommetricsv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetricsv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/route"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	metricskind "github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/object"
)

const (
	customMetrics   = "custom.metrics.k8s.io"
	externalMetrics = "external.metrics.k8s.io"
	// allObjects is the name with which clients request the values of all objects.
	allObjects = "*"
)

// Group is a group of metrics, with its versions; the first is preferred.
type Group struct {
	Name     string
	Versions []string
}

// Groups are the groups of metrics that users set, which have no kinds.
var Groups = []Group{{customMetrics, []string{"v1beta2", "v1beta1"}}, {externalMetrics, []string{"v1beta1"}}}

// Reader is the committed state in memory.
type Reader interface {
	// Fresh waits until the Reader has everything that was committed before the call.
	Fresh(ctx context.Context) error
	// List returns all objects of a resource in a namespace, "" for all namespaces.
	List(resource, namespace string) collection.Snapshot
}

// Server serves the values of metrics. It is safe for concurrent use.
type Server struct {
	Catalogue *kind.Catalogue
	Reader    Reader
	// Read calls f with the newest known objects; nil means that there are none.
	Read func(f func(kind.Cluster))
	Now  func() time.Time // cluster time
}

// Routes lists the paths at which values of metrics are read, as adapters serve them.
//
// Source: kubernetes-sigs/custom-metrics-apiserver pkg/registry and pkg/apiserver/installer; kubernetes v1.36
// staging/src/k8s.io/metrics/pkg/client/custom_metrics/versioned_client.go, rootScopedMetrics and namespacedMetrics
// Differs: the value of a cluster-scoped object, such as a node, can also be read below any namespace,
// as autoscalers do.
func (s *Server) Routes() []route.Route {
	if s.Catalogue.ByResource(metric.Resource) == nil {
		return nil
	}
	var out []route.Route
	query := []string{"pretty", "labelSelector", "metricLabelSelector"}
	add := func(r route.Route) {
		r.Method, r.OnlyJSON = http.MethodGet, true
		out = append(out, r)
	}
	for _, g := range Groups {
		for _, v := range g.Versions {
			base, about := route.Root(g.Name, v), route.VersionName(g.Name, v)
			add(route.Route{
				Path: base, Verb: "get" + about + "APIResources", Summary: "get the metrics that have values",
				Answer: route.ModelName(&metav1.APIResourceList{}), Serve: s.listMetrics(g.Name, v),
			})
			if g.Name == externalMetrics {
				add(route.Route{
					Path: base + "/namespaces/{namespace}/{metric}", Verb: "list", Name: about + "NamespacedMetric",
					Summary: "read the values of an external metric", Query: []string{"pretty", "labelSelector"},
					Answer: route.ModelName(&externalmetricsv1beta1.ExternalMetricValueList{}), Serve: s.getExternalMetric,
				})
				continue
			}
			answer := route.ModelName(&custommetricsv1beta2.MetricValueList{})
			if v == "v1beta1" {
				answer = route.ModelName(&custommetricsv1beta1.MetricValueList{})
			}
			add(route.Route{
				Path: base + "/namespaces/{namespace}/metrics/{metric}", Verb: "read", Name: about + "NamespaceMetric",
				Summary: "read the value that a metric has for a namespace",
				Query:   query, Answer: answer, Serve: s.getCustomMetric(v),
			})
			add(route.Route{
				Path: base + "/{resource}/{name}/{metric}", Verb: "list", Name: about + "Metric",
				Summary: "read the values that a metric has for an object without a namespace or, with * for its name, for all",
				Query:   query, Answer: answer, Serve: s.getCustomMetric(v),
			})
			add(route.Route{
				Path: base + "/namespaces/{namespace}/{resource}/{name}/{metric}", Verb: "list", Name: about + "NamespacedMetric",
				Summary: "read the values that a metric has for an object or, with * for its name, for all",
				Query:   query, Answer: answer, Serve: s.getCustomMetric(v),
			})
		}
	}
	return out
}

// listMetrics serves, as discovery, the metrics that have values.
func (s *Server) listMetrics(group, version string) route.Verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		rep, err := wire.Negotiate(req, nil)
		if err != nil {
			return err
		}
		if err := s.Reader.Fresh(req.Context()); err != nil {
			return err
		}
		list := &metav1.APIResourceList{
			TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: group + "/" + version, APIResources: []metav1.APIResource{},
		}
		found := map[string]bool{}
		s.Reader.List(metric.Resource, "").Ascend(object.Key{}, func(v *object.Version) bool {
			m, ok := v.Object().(*metric.Metric)
			if !ok || (m.Spec.Object == nil) != (group == externalMetrics) {
				return true
			}
			r := metav1.APIResource{Name: m.Spec.Metric, Kind: "ExternalMetricValueList", Namespaced: true, Verbs: metav1.Verbs{"get"}}
			if of := m.Spec.Object; of != nil {
				about := schema.GroupResource{Group: of.Group, Resource: of.Resource}.String()
				k := s.Catalogue.ByResource(about)
				r.Kind, r.Namespaced = "MetricValueList", k != nil && k.Namespaced
				r.Name = about + "/" + m.Spec.Metric
			}
			if !found[r.Name] {
				found[r.Name] = true
				list.APIResources = append(list.APIResources, r)
			}
			return true
		})
		slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return strings.Compare(a.Name, b.Name) })
		return wire.WriteValue(w, rep, http.StatusOK, list)
	}
}

// selectorOf parses a selector in the query; without one, everything is selected.
func selectorOf(req *http.Request, name string) (labels.Selector, error) {
	selector, err := labels.Parse(req.URL.Query().Get(name))
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return selector, nil
}

// getCustomMetric serves the values of a custom metric: of one object, or of all that match the
// label selector.
func (s *Server) getCustomMetric(version string) route.Verb {
	return func(w http.ResponseWriter, req *http.Request) error {
		rep, err := wire.Negotiate(req, nil)
		if err != nil {
			return err
		}
		objects, err := selectorOf(req, "labelSelector")
		if err != nil {
			return err
		}
		values, err := selectorOf(req, "metricLabelSelector")
		if err != nil {
			return err
		}
		if err := s.Reader.Fresh(req.Context()); err != nil {
			return err
		}
		namespace, of, name := wire.PathValue(req, "namespace"), wire.PathValue(req, "resource"), wire.PathValue(req, "name")
		if of == "" {
			of, name = core.Namespace.Plural, namespace
		}
		k := s.Catalogue.ByResource(of)
		if k == nil || k.Internal || namespace == "" && k.Namespaced {
			return apierrors.NewNotFound(schema.ParseGroupResource(of), name)
		}
		q := customQuery{kind: k, namespace: namespace, metric: wire.PathValue(req, "metric"), objects: objects, values: values}
		found := q.find(s, name)
		if len(found.Items) == 0 && name != allObjects {
			return metricNotFound(q.metric, of, name)
		}
		if version == "v1beta1" {
			return wire.WriteValue(w, rep, http.StatusOK, olderMetrics(found))
		}
		return wire.WriteValue(w, rep, http.StatusOK, found)
	}
}

// metricNotFound returns the error for an object without a value of a metric.
//
// Source: kubernetes-sigs/custom-metrics-apiserver pkg/provider/errors.go, NewMetricNotFoundForError
func metricNotFound(name, of, object string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: fmt.Sprintf("the server could not find the metric %s for %s %s", name, of, object),
	}}
}

// customQuery is a query for values of a custom metric.
type customQuery struct {
	kind              *kind.Kind
	namespace, metric string
	objects, values   labels.Selector
}

// find returns the values of an object, or of all objects.
func (q *customQuery) find(s *Server, name string) *custommetricsv1beta2.MetricValueList {
	list := &custommetricsv1beta2.MetricValueList{Items: []custommetricsv1beta2.MetricValue{}}
	list.SetGroupVersionKind(custommetricsv1beta2.SchemeGroupVersion.WithKind("MetricValueList"))
	if s.Read == nil {
		return list
	}
	s.Read(func(c kind.Cluster) {
		metrics := metricskind.CustomMetrics(c, s.Now())
		add := func(name string) {
			of := metric.Object{Group: q.kind.Group, Resource: q.kind.Plural, Name: name}
			if value, ok := metrics.Of(metricskind.NamespaceOfMetrics(q.kind, q.namespace), q.metric, of, q.values); ok {
				list.Items = append(list.Items, q.item(name, value))
			}
		}
		if name != allObjects {
			add(name)
			return
		}
		c.Each(q.kind.Resource(), q.namespace, func(v *object.Version) bool {
			if q.objects.Matches(labels.Set(v.Object().GetLabels())) {
				add(v.Name)
			}
			return true
		})
	})
	return list
}

// item converts one value for clients.
func (q *customQuery) item(name string, value metricskind.Value) custommetricsv1beta2.MetricValue {
	m := custommetricsv1beta2.MetricValue{
		DescribedObject: corev1.ObjectReference{APIVersion: q.kind.GroupVersion().String(), Kind: q.kind.Kind, Name: name},
		Metric:          custommetricsv1beta2.MetricIdentifier{Name: q.metric}, Timestamp: metav1.NewTime(value.At), Value: value.Value,
	}
	if q.kind.Namespaced {
		m.DescribedObject.Namespace = q.namespace
	}
	if len(value.Labels) > 0 {
		m.Metric.Selector = &metav1.LabelSelector{MatchLabels: value.Labels}
	}
	if value.Window > 0 {
		m.WindowSeconds = new(int64(value.Window / time.Second))
	}
	return m
}

// olderMetrics converts a list to its older version.
func olderMetrics(list *custommetricsv1beta2.MetricValueList) *custommetricsv1beta1.MetricValueList {
	out := &custommetricsv1beta1.MetricValueList{Items: []custommetricsv1beta1.MetricValue{}}
	out.SetGroupVersionKind(custommetricsv1beta1.SchemeGroupVersion.WithKind("MetricValueList"))
	for _, m := range list.Items {
		out.Items = append(out.Items, custommetricsv1beta1.MetricValue{
			DescribedObject: m.DescribedObject, MetricName: m.Metric.Name, Selector: m.Metric.Selector,
			Timestamp: m.Timestamp, WindowSeconds: m.WindowSeconds, Value: m.Value,
		})
	}
	return out
}

// getExternalMetric serves the values of an external metric.
func (s *Server) getExternalMetric(w http.ResponseWriter, req *http.Request) error {
	rep, err := wire.Negotiate(req, nil)
	if err != nil {
		return err
	}
	selector, err := selectorOf(req, "labelSelector")
	if err != nil {
		return err
	}
	if err := s.Reader.Fresh(req.Context()); err != nil {
		return err
	}
	list := &externalmetricsv1beta1.ExternalMetricValueList{Items: []externalmetricsv1beta1.ExternalMetricValue{}}
	list.SetGroupVersionKind(externalmetricsv1beta1.SchemeGroupVersion.WithKind("ExternalMetricValueList"))
	if s.Read != nil {
		s.Read(func(c kind.Cluster) {
			for _, value := range metricskind.ExternalMetric(c, wire.PathValue(req, "namespace"), wire.PathValue(req, "metric"), selector) {
				list.Items = append(list.Items, externalmetricsv1beta1.ExternalMetricValue{
					MetricName: wire.PathValue(req, "metric"), MetricLabels: value.Labels, Timestamp: metav1.NewTime(value.At), Value: value.Value,
				})
			}
		})
	}
	return wire.WriteValue(w, rep, http.StatusOK, list)
}
