package network

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/discovery"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpointslicemirroring"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewEndpointSliceMirroring makes the controller that maintains the EndpointSlices of manually
// created Endpoints.
//
// Cost: the Endpoints, their Service, and the Service's EndpointSlices.
func NewEndpointSliceMirroring(world.World) engine.Controller {
	return engine.Controller{
		Name: names.EndpointSliceMirroring, UserAgent: "endpointslicemirroring-controller", Primary: "endpoints",
		Batch: 16, Reconcile: gather.Each(syncEndpointSliceMirroring),
		Sources: []wakeup.Source{
			wakeup.For(&core.Endpoints.Type, wakeup.NotBy(names.Endpoints), mirroringChanged),
			wakeup.Watches(&servicekind.Kind.Type, endpointsOfService),
			wakeup.Watches(&discovery.EndpointSlice.Type, endpointsOfMirrored),
		},
	}
}

// mirroringChanged reports whether Endpoints must be mirrored, or were before the change.
func mirroringChanged(d wakeup.Diff) bool {
	old, _ := d.Old.(*corev1.Endpoints)
	e, _ := d.New.(*corev1.Endpoints)
	return old != nil && endpointslicemirroring.Mirrored(old) || e != nil && endpointslicemirroring.Mirrored(e)
}

// endpointsOfService asks for the Endpoints of a Service that was created or deleted without a
// selector, or gained or lost one.
func endpointsOfService(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	old, _ := d.Old.(*corev1.Service)
	s, _ := d.New.(*corev1.Service)
	mirrored := func(s *corev1.Service) bool { return s != nil && len(s.Spec.Selector) == 0 }
	if mirrored(old) != mirrored(s) {
		wakes = append(wakes, wakeup.Wake{Resource: "endpoints", Namespace: d.Last().GetNamespace(), Name: d.Last().GetName()})
	}
	return wakes
}

// endpointsOfMirrored asks for the Endpoints of slices that were changed by another writer: those
// before and those after the change.
func endpointsOfMirrored(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.Controller == names.EndpointSliceMirroring {
		return wakes
	}
	was := ""
	for _, o := range []object.Object{d.Old, d.New} {
		if o == nil || o.GetLabels()[discoveryv1.LabelManagedBy] != endpointslicemirroring.ManagedBy {
			continue
		}
		if name := o.GetLabels()[discoveryv1.LabelServiceName]; name != "" && name != was {
			wakes, was = append(wakes, wakeup.Wake{Resource: "endpoints", Namespace: o.GetNamespace(), Name: name}), name
		}
	}
	return wakes
}

func syncEndpointSliceMirroring(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	s := endpointslicemirroring.Snapshot{Endpoints: o.Object().(*corev1.Endpoints)}
	if service := v.Get(object.Key{Resource: "services", Namespace: o.Namespace, Name: o.Name}); service != nil {
		s.Service = service.Object().(*corev1.Service)
	}
	for _, slice := range gather.Typed[*discoveryv1.EndpointSlice](v, mirror.SlicesByService, o.Namespace+"/"+o.Name) {
		if slice.Labels[discoveryv1.LabelManagedBy] == endpointslicemirroring.ManagedBy {
			s.Slices = append(s.Slices, slice)
		}
	}
	slices.SortFunc(s.Slices, func(a, b *discoveryv1.EndpointSlice) int { return cmp.Compare(a.Name, b.Name) })
	return endpointslicemirroring.Reconcile(s)
}
