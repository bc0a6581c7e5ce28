// Package endpoints maintains the Endpoints of a Service: all its endpoints in one object, up to a
// thousand.
//
// A Service must be synced as described in package endpointslice; Endpoints must be synced when
// their Service is gone.
//
// Source: kubernetes v1.36 pkg/controller/endpoint/endpoints_controller.go
package endpoints

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	// ManagedByLabel names the manager of Endpoints.
	ManagedByLabel = "endpoints.kubernetes.io/managed-by"
	// ManagedBy is its value for this package.
	ManagedBy = "endpoint-controller"
	// capacity is the maximum number of addresses in Endpoints.
	capacity  = 1000
	truncated = "truncated"
)

// Snapshot is a Service with the Pods that it selects and the Endpoints of its name; nil if none
// exist. Reconcile does not modify it.
type Snapshot struct {
	Service   *corev1.Service // nil if it is gone
	Pods      []*corev1.Pod   // by name
	Endpoints *corev1.Endpoints
}

// Reconcile makes the Endpoints match the Pods. It ignores those of a Service without a selector,
// and deletes those of a Service that is gone.
func Reconcile(s Snapshot) (p plan.Plan) {
	if s.Service == nil {
		if s.Endpoints != nil {
			p.Deletes = append(p.Deletes, plan.Delete{Object: s.Endpoints})
		}
		return p
	}
	if !endpoint.Selects(s.Service) || s.Service.DeletionTimestamp != nil {
		return p
	}
	next := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: s.Service.Namespace, Name: s.Service.Name}}
	var before []map[string]string
	if s.Endpoints != nil {
		next = &corev1.Endpoints{ObjectMeta: *s.Endpoints.ObjectMeta.DeepCopy()}
		before = append(before, s.Endpoints.Annotations)
	}
	next.Subsets, next.Labels = subsets(s), labels(s.Service)
	over := truncate(next.Subsets)
	if e := s.Endpoints; e != nil && equality.Semantic.DeepEqual(e.Subsets, next.Subsets) && maps.Equal(e.Labels, next.Labels) &&
		(e.Annotations[corev1.EndpointsOverCapacity] == truncated) == over {
		return p
	}
	annotate(next, corev1.EndpointsOverCapacity, truncated, over)
	at := endpoint.Triggered(s.Service, s.Pods, before)
	annotate(next, corev1.EndpointsLastChangeTriggerTime, at.Format(time.RFC3339Nano), !at.IsZero())
	if s.Endpoints == nil {
		p.Creates = append(p.Creates, plan.Create{Object: next})
	} else {
		p.Updates = append(p.Updates, plan.Update{Object: next})
	}
	return p
}

// annotate sets or removes an annotation.
func annotate(e *corev1.Endpoints, key, value string, set bool) {
	if set {
		metav1.SetMetaDataAnnotation(&e.ObjectMeta, key, value)
	} else {
		delete(e.Annotations, key)
	}
}

// labels are the Service's labels and the one that names the manager.
func labels(s *corev1.Service) map[string]string {
	l := make(map[string]string, len(s.Labels)+2)
	maps.Copy(l, s.Labels)
	delete(l, corev1.IsHeadlessService)
	if ip := s.Spec.ClusterIP; ip == "" || ip == corev1.ClusterIPNone {
		l[corev1.IsHeadlessService] = ""
	}
	l[ManagedByLabel] = ManagedBy
	return l
}

// at is one address and the ports of the Service that it serves.
type at struct {
	corev1.EndpointAddress
	ready bool
	ports []corev1.EndpointPort
}

// subsets groups the addresses by the ports that they serve: the addresses of each subset serve all
// of its ports.
//
// Source: kubernetes v1.36 pkg/api/v1/endpoints/util.go, RepackSubsets
//
// Differs: subsets are ordered by their ports, not by hashes.
func subsets(s Snapshot) []corev1.EndpointSubset {
	byPort := map[corev1.EndpointPort][]*at{}
	var ports []corev1.EndpointPort
	var none []*at
	for _, a := range addresses(s) {
		if len(a.ports) == 0 && len(s.Service.Spec.Ports) == 0 {
			none = append(none, a)
		}
		for _, p := range a.ports {
			if byPort[p] == nil {
				ports = append(ports, p)
			}
			byPort[p] = append(byPort[p], a)
		}
	}
	slices.SortFunc(ports, func(a, b corev1.EndpointPort) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Protocol, b.Protocol))
	})
	var out []corev1.EndpointSubset
	var served [][]*at // the addresses of each subset
	for _, p := range ports {
		i := slices.IndexFunc(served, func(by []*at) bool { return slices.Equal(by, byPort[p]) })
		if i < 0 {
			i = len(out)
			served, out = append(served, byPort[p]), append(out, subset(byPort[p]))
		}
		out[i].Ports = append(out[i].Ports, p)
	}
	if none != nil {
		out = append(out, subset(none))
	}
	return out
}

func subset(of []*at) (s corev1.EndpointSubset) {
	for _, a := range of {
		if a.ready {
			s.Addresses = append(s.Addresses, a.EndpointAddress)
		} else {
			s.NotReadyAddresses = append(s.NotReadyAddresses, a.EndpointAddress)
		}
	}
	return s
}

// addresses are the Pods' addresses, in order. Terminating Pods are left out, unless the Service
// publishes addresses that are not ready.
func addresses(s Snapshot) []*at {
	out := make([]*at, 0, len(s.Pods))
	var ports []corev1.EndpointPort
	alike := endpoint.AlikePorts(s.Service)
	family, publish := corev1.IPv4Protocol, s.Service.Spec.PublishNotReadyAddresses
	if len(s.Service.Spec.IPFamilies) > 0 {
		family = s.Service.Spec.IPFamilies[0]
	}
	for _, pod := range s.Pods {
		ip := endpoint.Address(pod, family)
		if ip == "" || !endpoint.Included(pod) || pod.DeletionTimestamp != nil && !publish {
			continue
		}
		a := &at{ready: publish || podstate.Ready(pod), EndpointAddress: corev1.EndpointAddress{
			IP: ip, NodeName: new(pod.Spec.NodeName), Hostname: endpoint.Hostname(pod, s.Service),
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		}}
		if len(out) == 0 || !alike {
			ports = portsOf(pod, s.Service)
		}
		a.ports = ports
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *at) int {
		return cmp.Or(cmp.Compare(a.IP, b.IP), cmp.Compare(a.TargetRef.UID, b.TargetRef.UID))
	})
	return out
}

// portsOf are the ports of a Service that a Pod serves.
func portsOf(pod *corev1.Pod, s *corev1.Service) (ports []corev1.EndpointPort) {
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		if number, ok := endpoint.Port(pod, p); ok {
			ports = append(ports, corev1.EndpointPort{Name: p.Name, Port: number, Protocol: p.Protocol, AppProtocol: p.AppProtocol})
		}
	}
	return ports
}

// truncate removes addresses, in place, until the rest fits: first those that are not ready, and
// from each subset in proportion. It reports whether there were too many.
//
// Source: kubernetes v1.36 pkg/controller/endpoint/endpoints_controller.go, truncateEndpoints
func truncate(subsets []corev1.EndpointSubset) bool {
	ready, notReady := 0, 0
	for _, s := range subsets {
		ready, notReady = ready+len(s.Addresses), notReady+len(s.NotReadyAddresses)
	}
	if ready+notReady <= capacity {
		return false
	}
	all, room := notReady, capacity-ready
	if ready > capacity {
		all, room = ready, capacity
	}
	left := room
	for i := range subsets {
		s, cut := &subsets[i], &subsets[i].NotReadyAddresses
		if ready > capacity {
			s.NotReadyAddresses, cut = nil, &s.Addresses
		}
		n := min(left, len(*cut), int(math.Ceil(float64(len(*cut))/float64(all)*float64(room))))
		*cut = (*cut)[:n]
		left -= n
	}
	return true
}
