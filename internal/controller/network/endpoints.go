package network

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/kind/discovery"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/endpoints"
	"github.com/rowlock/rowlock/internal/reconcile/endpointslice"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// NewEndpoints makes the controller that maintains the EndpointSlices and the Endpoints of
// Services.
//
// Cost: the Pods that have the rarest label of the Service's selector, their nodes, and the
// Service's existing slices and Endpoints. Because its share of a core is limited, one sync covers
// many changes while thousands of Pods become ready.
func NewEndpoints(world.World) engine.Controller {
	return engine.Controller{
		Name: names.Endpoints, UserAgent: "endpointslice-controller", Primary: "services", Others: []string{"endpoints"},
		Batch: 16, Core: 0.25, Gather: gather.Apart(syncEndpoints),
		Sources: []wakeup.Source{
			wakeup.For(&servicekind.Kind.Type),
			wakeup.Selects(&podkind.Kind.Type, podEndpointsChanged),
			wakeup.Watches(&servicekind.Kind.Type, endpointsOfGone),
			wakeup.Watches(&core.Endpoints.Type, serviceOfEndpoints),
			wakeup.Watches(&discovery.EndpointSlice.Type, serviceOfSlice),
		},
	}
}

// podEndpointsChanged returns the labels of a Pod whose change matters to the endpoints of the
// Services that select it: a Pod that has an address and has not ended was created or deleted, or
// its readiness, termination or labels changed.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/controller_utils.go, podEndpointsChanged
func podEndpointsChanged(d wakeup.Diff) []map[string]string {
	old, _ := d.Old.(*corev1.Pod)
	pod, _ := d.New.(*corev1.Pod)
	was, is := addressed(old), addressed(pod)
	switch {
	case !was && !is:
		return nil
	case !was:
		return []map[string]string{pod.Labels}
	case !is:
		return []map[string]string{old.Labels}
	case !maps.Equal(old.Labels, pod.Labels):
		return []map[string]string{old.Labels, pod.Labels}
	}
	if podstate.Ready(old) == podstate.Ready(pod) && (old.DeletionTimestamp == nil) == (pod.DeletionTimestamp == nil) &&
		slices.Equal(old.Status.PodIPs, pod.Status.PodIPs) {
		return nil
	}
	return []map[string]string{pod.Labels}
}

// addressed reports whether a Pod, nil for none, can be an endpoint, ready or not.
func addressed(pod *corev1.Pod) bool {
	return pod != nil && pod.Status.PodIP != "" && !podstate.Terminal(pod)
}

// endpointsOfGone asks for the Endpoints of a Service that is gone.
func endpointsOfGone(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if d.New == nil {
		wakes = append(wakes, wakeup.Wake{Resource: "endpoints", Namespace: d.Old.GetNamespace(), Name: d.Old.GetName()})
	}
	return wakes
}

// serviceOfEndpoints asks for the Service whose Endpoints were changed by another writer.
func serviceOfEndpoints(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	if o := d.Last(); d.Controller != names.Endpoints {
		wakes = append(wakes, wakeup.Wake{Resource: "services", Namespace: o.GetNamespace(), Name: o.GetName()})
	}
	return wakes
}

// serviceOfSlice asks for the Service whose EndpointSlice was changed by another writer.
func serviceOfSlice(wakes []wakeup.Wake, d wakeup.Diff) []wakeup.Wake {
	o := d.Last()
	if name := o.GetLabels()[discoveryv1.LabelServiceName]; name != "" && d.Controller != names.Endpoints {
		wakes = append(wakes, wakeup.Wake{Resource: "services", Namespace: o.GetNamespace(), Name: name})
	}
	return wakes
}

// syncEndpoints updates the EndpointSlices and the Endpoints of a Service in one sync, so that
// neither is ahead of the other. It also syncs Endpoints whose Service is gone.
func syncEndpoints(v mirror.View, o *object.Version, _ engine.Request, _ time.Time) func(*plan.Refusal) plan.Plan {
	e := endpoints.Snapshot{
		Endpoints: gather.One[*corev1.Endpoints](v, object.Key{Resource: "endpoints", Namespace: o.Namespace, Name: o.Name}),
		Service:   gather.One[*corev1.Service](v, object.Key{Resource: "services", Namespace: o.Namespace, Name: o.Name}),
	}
	if e.Service == nil {
		return gather.Planned(endpoints.Reconcile(e))
	}
	if !endpoint.Selects(e.Service) {
		return gather.Planned(plan.Plan{})
	}
	e.Pods = addressedPods(v, e.Service)
	s := endpointslice.Snapshot{Service: e.Service, Pods: e.Pods, Zones: map[string]string{}}
	for _, slice := range gather.Typed[*discoveryv1.EndpointSlice](v, mirror.SlicesByService, o.Namespace+"/"+o.Name) {
		if slice.Labels[discoveryv1.LabelManagedBy] == endpointslice.ManagedBy {
			s.Slices = append(s.Slices, slice)
		}
	}
	for _, pod := range s.Pods {
		if _, known := s.Zones[pod.Spec.NodeName]; !known {
			if node := v.Get(object.Key{Resource: "nodes", Name: pod.Spec.NodeName}); node != nil {
				s.Zones[pod.Spec.NodeName] = node.Object().GetLabels()[corev1.LabelTopologyZone]
			}
		}
	}
	return func(*plan.Refusal) plan.Plan { // compares thousands of Pods after the mirror is released
		p, others := endpointslice.Reconcile(s), endpoints.Reconcile(e)
		p.Creates, p.Updates = append(p.Creates, others.Creates...), append(p.Updates, others.Updates...)
		return p
	}
}

// addressedPods returns the Pods with an address that a Service selects, by name.
func addressedPods(v mirror.View, s *corev1.Service) []*corev1.Pod {
	pods := v.SelectedPods(s.Namespace, labels.SelectorFromSet(s.Spec.Selector))
	return slices.DeleteFunc(pods, func(pod *corev1.Pod) bool { return pod.Status.PodIP == "" })
}
