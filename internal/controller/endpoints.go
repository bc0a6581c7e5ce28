package controller

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/endpoints"
	"github.com/rowlock/rowlock/internal/reconcile/endpointslice"
)

// lookAtEndpoints keeps the EndpointSlices and the Endpoints of a Service in one look, so that neither is ahead of the other. It
// also looks at Endpoints whose Service is gone.
func lookAtEndpoints(v mirror.View, o *object.Version, _ *plan.Refusal, _ time.Time) plan.Plan {
	e := endpoints.Snapshot{}
	if of := v.Get(object.Key{Resource: "endpoints", Namespace: o.Namespace, Name: o.Name}); of != nil {
		e.Endpoints = of.Object().(*corev1.Endpoints)
	}
	service := v.Get(object.Key{Resource: "services", Namespace: o.Namespace, Name: o.Name})
	if service == nil {
		return endpoints.Reconcile(e)
	}
	e.Service = service.Object().(*corev1.Service)
	if !endpoint.Selects(e.Service) {
		return plan.Plan{}
	}
	e.Pods = selectedPods(v, e.Service)
	s := endpointslice.Snapshot{Service: e.Service, Pods: e.Pods, Zones: map[string]string{}}
	for _, slice := range typed[*discoveryv1.EndpointSlice](v, mirror.SlicesByService, o.Namespace+"/"+o.Name) {
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
	p, others := endpointslice.Reconcile(s), endpoints.Reconcile(e)
	p.Creates, p.Updates = append(p.Creates, others.Creates...), append(p.Updates, others.Updates...)
	return p
}

// selectedPods are the Pods with an address that a Service selects, by name, out of those that have the rarest of the labels.
func selectedPods(v mirror.View, s *corev1.Service) []*corev1.Pod {
	rarest, fewest := "", -1
	for key, value := range s.Spec.Selector {
		in := mirror.Label(s.Namespace, key, value)
		if n := v.EachIn(mirror.PodsByLabel, in, nil); fewest < 0 || n < fewest || n == fewest && in < rarest {
			rarest, fewest = in, n
		}
	}
	selector := labels.SelectorFromSet(s.Spec.Selector)
	pods := make([]*corev1.Pod, 0, max(fewest, 0))
	for _, pod := range typed[*corev1.Pod](v, mirror.PodsByLabel, rarest) {
		if selector.Matches(labels.Set(pod.Labels)) {
			pods = append(pods, pod)
		}
	}
	return pods
}
