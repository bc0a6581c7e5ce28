package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/fault"
	"github.com/rowlock/rowlock/internal/injector"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/reconcile/faults"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/faultcount"
)

type createFault struct {
	sender
	Body v1.FaultRequest
}

type deleteFault struct {
	sender
	Named
}

func (s *Server) faultOperations(a *typed) {
	const one = v1.FaultsPath + "/{name}"
	register(a, huma.Operation{
		Method: http.MethodGet, Path: v1.FaultsPath, OperationID: "listRowlockV1Faults", Summary: "List faults",
	}, func(ctx context.Context, _ *struct{}) (v1.FaultList, error) { return s.listFaults(ctx) })
	register(a, huma.Operation{
		Method: http.MethodPost, Path: v1.FaultsPath, OperationID: "createRowlockV1Fault", Summary: "Create a fault",
		Description: "Makes Pods, a node, an image or API requests fail. The fault applies to all replicas and " +
			"survives restarts. It ends when it is deleted, when it expires, or when it has reached its count.",
	}, s.createFault)
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: v1.FaultsPath, OperationID: "deleteRowlockV1Faults", Summary: "Delete all faults",
	}, s.deleteFaults)
	register(a, huma.Operation{
		Method: http.MethodGet, Path: one, OperationID: "getRowlockV1Fault", Summary: "Get a fault",
	}, func(ctx context.Context, in *Named) (v1.Fault, error) { return s.getFault(ctx, in.Name) })
	register(a, huma.Operation{
		Method: http.MethodDelete, Path: one, OperationID: "deleteRowlockV1Fault", Summary: "Delete a fault",
		Description: "The fault has no effect from then on, and nodes that it made fail recover.",
	}, s.deleteFault)
}

func (s *Server) listFaults(ctx context.Context) (v1.FaultList, error) {
	all, counts, err := s.Faults.List(ctx)
	if err != nil {
		return v1.FaultList{}, faultFailure("", err)
	}
	list := v1.FaultList{Items: []v1.Fault{}}
	for _, f := range all {
		list.Items = append(list.Items, shownFault(f, counts[f.UID]))
	}
	return list, nil
}

func (s *Server) getFault(ctx context.Context, name string) (v1.Fault, error) {
	list, err := s.listFaults(ctx)
	if err != nil {
		return v1.Fault{}, err
	}
	i := slices.IndexFunc(list.Items, func(f v1.Fault) bool { return f.Name == name })
	if i < 0 {
		return v1.Fault{}, faultFailure(name, injector.ErrNotFound)
	}
	return list.Items[i], nil
}

func (s *Server) createFault(ctx context.Context, in *createFault) (v1.Fault, error) {
	spec, lasts, err := faultOf(&in.Body)
	if err != nil {
		return v1.Fault{}, err
	}
	if err := s.findTarget(ctx, spec); err != nil {
		return v1.Fault{}, err
	}
	f, err := s.Faults.Create(ctx, in.Body.Name, in.sender.name, spec, lasts)
	if err != nil {
		return v1.Fault{}, faultFailure(in.Body.Name, err)
	}
	return shownFault(f, faultcount.Count{}), nil
}

// faultOf validates a request and converts it to a fault.
func faultOf(r *v1.FaultRequest) (spec fault.Spec, lasts time.Duration, err error) {
	spec = fault.Spec{Pod: (*fault.Pod)(r.Pod), Node: (*fault.Node)(r.Node), Image: (*fault.Image)(r.Image), API: (*fault.API)(r.API)}
	if spec.Pod != nil && spec.Pod.Namespace == "" {
		spec.Pod.Namespace = metav1.NamespaceDefault
	}
	errs := spec.Validate()
	if r.Name != "" {
		for _, message := range validation.IsDNS1123Subdomain(r.Name) {
			errs = append(errs, field.Invalid(field.NewPath("name"), r.Name, message))
		}
	}
	if r.For != "" {
		if lasts, err = clock.ParseDuration(r.For); err != nil || lasts <= 0 || lasts > longestFault {
			errs = append(errs, field.Invalid(field.NewPath("for"), r.For, "must be a duration such as 90s, 5m or 1d, up to 3650d"))
		}
	}
	if len(errs) > 0 {
		return spec, 0, invalid(errs...)
	}
	return spec, lasts, nil
}

const longestFault = 3650 * 24 * time.Hour

// findTarget rejects faults of Pods, containers and nodes that do not exist, and a second fault of
// a node.
func (s *Server) findTarget(ctx context.Context, spec fault.Spec) error {
	if spec.Node == nil && (spec.Pod == nil || spec.Pod.Name == "") {
		return nil
	}
	if err := s.Reader.Fresh(ctx); err != nil {
		return faultFailure("", err)
	}
	if spec.Node != nil {
		v := s.Reader.Get(object.Key{Resource: "nodes", Name: spec.Node.Name})
		if v == nil {
			return apierrors.NewNotFound(schema.GroupResource{Resource: "nodes"}, spec.Node.Name)
		}
		if node, ok := v.Object().(*corev1.Node); ok && outage.Fault(node) != "" {
			return apierrors.NewConflict(schema.GroupResource{Resource: "nodes"}, node.Name, fmt.Errorf("the node already has the fault %s", outage.Fault(node)))
		}
		return nil
	}
	v := s.Reader.Get(object.Key{Resource: "pods", Namespace: spec.Pod.Namespace, Name: spec.Pod.Name})
	if v == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "pods"}, spec.Pod.Name)
	}
	if pod, ok := v.Object().(*corev1.Pod); ok && spec.Pod.Container != "" && !hasContainer(&pod.Spec, spec.Pod.Container) {
		return invalid(field.Invalid(field.NewPath("pod", "container"), spec.Pod.Container, "the Pod has no container of that name"))
	}
	return nil
}

func hasContainer(spec *corev1.PodSpec, name string) bool {
	named := func(c corev1.Container) bool { return c.Name == name }
	return slices.ContainsFunc(spec.Containers, named) || slices.ContainsFunc(spec.InitContainers, named) ||
		slices.ContainsFunc(spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool { return c.Name == name })
}

func (s *Server) deleteFault(ctx context.Context, in *deleteFault) (v1.Fault, error) {
	shown, err := s.getFault(ctx, in.Name)
	if err != nil {
		return v1.Fault{}, err
	}
	_, err = s.Faults.End(ctx, in.Name, "", in.sender.name)
	return shown, faultFailure(in.Name, err)
}

func (s *Server) deleteFaults(ctx context.Context, in *struct{ sender }) (v1.FaultList, error) {
	list, err := s.listFaults(ctx)
	if err != nil {
		return list, err
	}
	for _, f := range list.Items {
		if _, err := s.Faults.End(ctx, f.Name, "", in.sender.name); err != nil && !errors.Is(err, injector.ErrNotFound) {
			return list, faultFailure(f.Name, err)
		}
	}
	return list, nil
}

// shownFault returns a fault as clients see it.
func shownFault(f *fault.Fault, c faultcount.Count) v1.Fault {
	spec := &f.Spec
	return v1.Fault{
		Name: f.Name, Created: f.CreationTimestamp.UTC(), Until: spec.Until, Summary: faults.Summary(spec), Seen: c.Seen, Hits: c.Hits,
		Pod: (*v1.PodFault)(spec.Pod), Node: (*v1.NodeFault)(spec.Node), Image: (*v1.ImageFault)(spec.Image), API: (*v1.APIFault)(spec.API),
	}
}

var faultResource = schema.GroupResource{Group: fault.Group, Resource: fault.Plural}

// faultFailure converts an error about faults to one with a Status.
func faultFailure(name string, err error) error {
	switch {
	case errors.Is(err, injector.ErrNotFound):
		return apierrors.NewNotFound(faultResource, name)
	case errors.Is(err, injector.ErrExists):
		return apierrors.NewAlreadyExists(faultResource, name)
	case errors.Is(err, injector.ErrTooMany):
		return apierrors.NewForbidden(faultResource, name, fmt.Errorf("there are already %d faults; end one first", injector.Most))
	case pg.IsRetryable(err), errors.Is(err, mirror.ErrUnavailable), errors.Is(err, mirror.ErrTooLarge), errors.Is(err, store.ErrUnavailable):
		return apierrors.NewServiceUnavailable("the database cannot be reached")
	}
	return err
}
