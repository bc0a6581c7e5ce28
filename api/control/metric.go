package control

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/metric"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// OfNamespace is part of the inputs of operations on a namespace's metrics.
type OfNamespace struct {
	Namespace string `query:"namespace" doc:"Only this namespace."`
}

type setMetric struct {
	sender
	Body v1.Metric
}

type deleteMetrics struct {
	sender
	OfNamespace
	Metric string `query:"metric" doc:"Only this metric."`
	Object string `query:"object" doc:"Only this object."`
}

func (s *Server) metricOperations(a *typed) {
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.MetricsPath, OperationID: "listRowlockV1Metrics", Summary: "List metric values",
	}, func(ctx context.Context, in *OfNamespace) (v1.MetricList, error) {
		found, err := s.setMetrics(ctx, in.Namespace, func(*metric.Metric) bool { return true })
		return s.shownMetrics(found), err
	})
	register(a, huma.Operation{
		Method: http.MethodPut, Path: v1.MetricsPath, OperationID: "setRowlockV1Metric", Summary: "Set a metric value",
		Description: "HorizontalPodAutoscalers read the value through metrics of the types Pods, Object and External. " +
			"It is kept until it is set again or deleted, or until its namespace is deleted.",
	}, s.setMetric)
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: v1.MetricsPath, OperationID: "deleteRowlockV1Metrics", Summary: "Delete metric values",
		Description: "Without parameters, all values are deleted. Returns the deleted values.",
	}, s.deleteMetrics)
}

// setMetrics returns the matching metrics of a namespace, in order; "" means all namespaces.
func (s *Server) setMetrics(ctx context.Context, namespace string, wanted func(*metric.Metric) bool) (all []*metric.Metric, err error) {
	if err := s.Reader.Fresh(ctx); err != nil {
		return nil, faultFailure("", err)
	}
	s.Reader.List(metric.Resource, namespace).Ascend(object.Key{}, func(v *object.Version) bool {
		if m, ok := v.Object().(*metric.Metric); ok && wanted(m) && (namespace == "" || m.Namespace == namespace && !s.ofCluster(m.Spec.Object)) {
			all = append(all, m)
		}
		return true
	})
	slices.SortFunc(all, metric.Compare)
	return all, nil
}

func (s *Server) shownMetrics(all []*metric.Metric) v1.MetricList {
	list := v1.MetricList{Items: []v1.Metric{}}
	for _, m := range all {
		list.Items = append(list.Items, s.shownMetric(m))
	}
	return list
}

// ofCluster reports whether a metric is about an object of a kind without namespaces, other than a
// Namespace itself.
func (s *Server) ofCluster(of *metric.Object) bool {
	if of == nil {
		return false
	}
	k := s.Catalogue.ByResource(schema.GroupResource{Group: of.Group, Resource: of.Resource}.String())
	return k != nil && metrics.NamespaceOfMetrics(k, "") != ""
}

// shownMetric returns a metric as clients see it.
func (s *Server) shownMetric(m *metric.Metric) v1.Metric {
	at := m.Spec.At
	shown := v1.Metric{Namespace: m.Namespace, Metric: m.Spec.Metric, Labels: m.Spec.Labels, Value: m.Spec.Value.String(), Time: &at}
	if m.Spec.Object != nil {
		shown.Object = m.Spec.Object.String()
	}
	if s.ofCluster(m.Spec.Object) {
		shown.Namespace = ""
	}
	return shown
}

func (s *Server) setMetric(ctx context.Context, in *setMetric) (v1.Metric, error) {
	r := &in.Body
	spec, err := s.readMetric(r)
	switch {
	case err != nil:
		return v1.Metric{}, err
	case s.ofCluster(spec.Object):
		r.Namespace = metric.ClusterNamespace
	case r.Namespace == "":
		r.Namespace = metav1.NamespaceDefault
	}
	spec.At = s.Clock.Now().UTC().Truncate(time.Second)
	next := &metric.Metric{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: spec.Name(), CreationTimestamp: metav1.NewTime(spec.At)}, Spec: spec}
	written, err := s.writeMetric(ctx, next, in.name)
	if err != nil {
		return v1.Metric{}, err
	}
	return s.shownMetric(written), nil
}

// attempts limits the retries of a write that conflicts with others.
const attempts = 10

// writeMetric creates or replaces a metric.
func (s *Server) writeMetric(ctx context.Context, next *metric.Metric, writer string) (*metric.Metric, error) {
	key := object.Key{Resource: metric.Resource, Namespace: next.Namespace, Name: next.Name}
	for range attempts {
		if err := s.Reader.Fresh(ctx); err != nil {
			return nil, faultFailure("", err)
		}
		change := store.Change{Verb: object.Created, Type: &metrics.Metric.Type, New: next, Writer: writer, Old: s.Reader.Get(key)}
		next.UID = s.NewUID()
		if change.Old != nil {
			change.Verb, next.UID = object.Updated, change.Old.UID
		}
		v, err := s.Writer.Write(ctx, change)
		switch {
		case err == nil:
			return v.Object().(*metric.Metric), faultFailure("", s.Reader.WaitFor(ctx, v.Revision))
		case !errors.Is(err, store.ErrExists) && !errors.As(err, new(*store.ConflictError)) && !errors.Is(err, store.ErrGone):
			return nil, metricFailure(next.Namespace, err)
		}
	}
	return nil, apierrors.NewConflict(metricResource, next.Name, errors.New("other clients keep changing it; try again"))
}

var metricResource = schema.GroupResource{Group: metric.Group, Resource: metric.Plural}

// metricFailure converts an error about metrics to one with a Status.
func metricFailure(namespace string, err error) error {
	switch {
	case errors.Is(err, store.ErrNamespaceNotFound):
		return apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, namespace)
	case errors.Is(err, store.ErrNamespaceTerminating):
		return apierrors.NewForbidden(metricResource, "", errors.New("namespace "+namespace+" is terminating"))
	}
	return faultFailure("", err)
}

// readMetric validates a metric in a request and converts it.
func (s *Server) readMetric(r *v1.Metric) (spec metric.Spec, err error) {
	var errs field.ErrorList
	spec = metric.Spec{Metric: r.Metric, Labels: r.Labels}
	if r.Metric == "" || strings.ContainsAny(r.Metric, "/%") || len(r.Metric) > validation.DNS1123SubdomainMaxLength {
		errs = append(errs, field.Invalid(field.NewPath("metric"), r.Metric, "must be a name without / and %, of 253 bytes at most"))
	}
	for key, value := range r.Labels {
		for _, message := range append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...) {
			errs = append(errs, field.Invalid(field.NewPath("labels").Key(key), value, message))
		}
	}
	if spec.Value, err = resource.ParseQuantity(r.Value); err != nil {
		errs = append(errs, field.Invalid(field.NewPath("value"), r.Value, "must be a quantity such as 250 or 1500m"))
	}
	if r.Object != "" {
		if spec.Object = s.describedObject(r.Object); spec.Object == nil {
			errs = append(errs, field.Invalid(field.NewPath("object"), r.Object,
				"must be a resource and a name, such as pods/web-1, deployments.apps/web, nodes/node-1 or namespaces/NAME"))
		} else if r.Namespace != "" && s.ofCluster(spec.Object) {
			errs = append(errs, field.Forbidden(field.NewPath("namespace"), "the object has no namespace"))
		}
	}
	if len(errs) > 0 {
		return spec, invalid(errs...)
	}
	return spec, nil
}

// describedObject parses the object of a custom metric: a resource in singular or plural, with or
// without its group, and a name. It returns nil if there is no such resource.
func (s *Server) describedObject(text string) *metric.Object {
	word, name, found := strings.Cut(text, "/")
	word, group, grouped := strings.Cut(word, ".")
	if !found || name == "" || strings.Contains(name, "/") {
		return nil
	}
	for _, k := range s.Catalogue.Stored() {
		if (word == k.Plural || word == k.Singular) && (!grouped || group == k.Group) && !k.Internal {
			return &metric.Object{Group: k.Group, Resource: k.Plural, Name: name}
		}
	}
	return nil
}

func (s *Server) deleteMetrics(ctx context.Context, in *deleteMetrics) (v1.MetricList, error) {
	object := ""
	if in.Object != "" {
		of := s.describedObject(in.Object)
		if of == nil {
			return v1.MetricList{}, invalid(field.Invalid(field.NewPath("object"), in.Object, "there is no such resource"))
		}
		object = of.String()
	}
	all, err := s.setMetrics(ctx, in.Namespace, func(m *metric.Metric) bool {
		return (in.Metric == "" || in.Metric == m.Spec.Metric) && (object == "" || m.Spec.Object != nil && m.Spec.Object.String() == object)
	})
	if err != nil {
		return v1.MetricList{}, err
	}
	var gone []*metric.Metric
	for _, m := range all {
		removed, err := s.deleteMetric(ctx, m.Namespace, m.Name, m.UID, in.name)
		if err != nil {
			return v1.MetricList{}, err
		}
		if removed {
			gone = append(gone, m)
		}
	}
	return s.shownMetrics(gone), nil
}

// deleteMetric deletes a metric. It returns false if there was none.
func (s *Server) deleteMetric(ctx context.Context, namespace, name string, uid types.UID, writer string) (bool, error) {
	for range attempts {
		v := s.Reader.Get(object.Key{Resource: metric.Resource, Namespace: namespace, Name: name})
		if v == nil || v.UID != uid {
			return false, nil
		}
		written, err := s.Writer.Write(ctx, store.Change{Verb: object.Deleted, Type: &metrics.Metric.Type, Old: v, Writer: writer})
		switch {
		case err == nil:
			return true, faultFailure("", s.Reader.WaitFor(ctx, written.Revision))
		case errors.Is(err, store.ErrGone):
			return false, nil
		case !errors.As(err, new(*store.ConflictError)):
			return false, metricFailure(namespace, err)
		}
		if err := s.Reader.Fresh(ctx); err != nil {
			return false, faultFailure("", err)
		}
	}
	return false, apierrors.NewConflict(metricResource, name, errors.New("other clients keep changing it; try again"))
}
