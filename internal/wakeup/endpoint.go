package wakeup

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Selected are the label sets, before and after, by which Services select the changed object, where the change is news to
// their endpoints: a Pod that has an address and has not ended came, went, or is ready, leaving or labelled otherwise.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/controller_utils.go, podEndpointsChanged
func Selected(c Change) []map[string]string {
	old, _ := c.Old.(*corev1.Pod)
	pod, _ := c.New.(*corev1.Pod)
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

// addressed says whether a Pod, nil for none, can be an endpoint, ready or not.
func addressed(pod *corev1.Pod) bool {
	return pod != nil && pod.Status.PodIP != "" && !podstate.Terminal(pod)
}

// routeEndpoints wakes who keeps endpoints: for a Service when it changes or somebody else has changed what is kept of it, and
// for the Endpoints of a Service that is gone.
func routeEndpoints(c Change) []Wake {
	o := c.last()
	switch o.(type) {
	case *corev1.Service:
		if c.New != nil {
			return c.self(Endpoints)
		}
		return []Wake{{Controller: Endpoints, Resource: "endpoints", Namespace: o.GetNamespace(), Name: o.GetName()}}
	case *corev1.Endpoints:
		if c.Controller != Endpoints {
			return []Wake{{Controller: Endpoints, Resource: "services", Namespace: o.GetNamespace(), Name: o.GetName()}}
		}
	case *discoveryv1.EndpointSlice:
		if name := o.GetLabels()[discoveryv1.LabelServiceName]; name != "" && c.Controller != Endpoints {
			return []Wake{{Controller: Endpoints, Resource: "services", Namespace: o.GetNamespace(), Name: name}}
		}
	}
	return nil
}
