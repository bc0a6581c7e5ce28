// Package endpointslicemirroring mirrors manually created Endpoints to EndpointSlices, one for each
// set of ports and address family, because proxies and Pods use EndpointSlices.
//
// Endpoints must be synced when a writer other than their controller changes them, when the Service
// of their name is created or deleted, or starts or stops selecting Pods, and when another writer
// changes one of their slices.
//
// Source: kubernetes v1.36 pkg/controller/endpointslicemirroring/reconciler.go
package endpointslicemirroring

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
)

const (
	// ManagedBy is the value of the label that names the manager of these slices.
	ManagedBy = "endpointslicemirroring-controller.k8s.io"
	// perSubset is the maximum number of mirrored addresses of a subset, and of endpoints in a
	// slice.
	perSubset = 1000
	component = "endpoint-slice-mirroring-controller"
	leader    = "control-plane.alpha.kubernetes.io/leader"
)

// Snapshot is Endpoints with the Service of their name, if it exists, and their slices, which are
// ManagedBy this package. Reconcile does not modify it.
type Snapshot struct {
	Endpoints *corev1.Endpoints
	Service   *corev1.Service
	Slices    []*discoveryv1.EndpointSlice // by name
}

// Mirrored reports whether the Endpoints are mirrored if they have a Service without a selector.
// They are not if a label excludes them, or if they are used for leader election.
//
// Source: kubernetes v1.36 pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go, shouldMirror
func Mirrored(e *corev1.Endpoints) bool {
	_, electing := e.Annotations[leader]
	return e.Labels[discoveryv1.LabelSkipMirror] != "true" && !electing
}

// Reconcile makes the slices match the Endpoints, and removes those of Endpoints that must not be
// mirrored.
//
// Differs: omitted addresses are reported when slices change, not with every sync.
func Reconcile(s Snapshot) (p plan.Plan) {
	if !Mirrored(s.Endpoints) || s.Service == nil || len(s.Service.Spec.Selector) > 0 {
		for _, slice := range s.Slices {
			p.Deletes = append(p.Deletes, plan.Delete{Object: slice})
		}
		return p
	}
	m := &mirror{Snapshot: s, groups: map[string]*group{}}
	for _, slice := range s.Slices {
		g := m.group(slice.AddressType, slice.Ports)
		g.slices = append(g.slices, slice)
	}
	for _, subset := range repack(s.Endpoints.Subsets) {
		m.add(subset)
	}
	for _, key := range m.order {
		m.reconcile(m.groups[key])
	}
	return m.plan()
}

// mirror is what a sync has decided so far.
type mirror struct {
	Snapshot
	groups                    map[string]*group
	order                     []string
	invalid, skipped          int // omitted addresses; skipped includes the invalid ones
	creates, updates, deletes []*discoveryv1.EndpointSlice
}

// group is the endpoints of one family that serve the same ports.
type group struct {
	family    discoveryv1.AddressType
	ports     []discoveryv1.EndpointPort
	endpoints []discoveryv1.Endpoint
	at        map[endpoint.Key]int // the index in endpoints
	slices    []*discoveryv1.EndpointSlice
}

// group is the group of a family and ports, which is created if it does not exist.
func (m *mirror) group(family discoveryv1.AddressType, ports []discoveryv1.EndpointPort) *group {
	key := string(family) + " " + endpoint.PortsKey(ports)
	if m.groups[key] == nil {
		m.groups[key] = &group{family: family, ports: ports, at: map[endpoint.Key]int{}}
		m.order = append(m.order, key)
	}
	return m.groups[key]
}

// add adds the addresses of a subset that are mirrored, the ready ones first.
func (m *mirror) add(s corev1.EndpointSubset) {
	ports := make([]discoveryv1.EndpointPort, 0, len(s.Ports))
	for _, p := range s.Ports {
		ports = append(ports, discoveryv1.EndpointPort{Name: &p.Name, Port: &p.Port, Protocol: &p.Protocol, AppProtocol: p.AppProtocol})
	}
	added := 0
	each := func(addresses []corev1.EndpointAddress, ready bool) {
		for i := range addresses {
			if added == perSubset {
				m.skipped += len(addresses) - i
				return
			}
			e, family := mirrored(&addresses[i], ready)
			if family == "" {
				m.invalid++
				m.skipped++
				continue
			}
			m.group(family, ports).put(e)
			added++
		}
	}
	each(s.Addresses, true)
	each(s.NotReadyAddresses, false)
}

// put adds an endpoint, or replaces the same endpoint in another state. A full group takes no more.
func (g *group) put(e discoveryv1.Endpoint) {
	key := endpoint.KeyOf(&e)
	if i, known := g.at[key]; known {
		g.endpoints[i] = e
	} else if len(g.endpoints) < perSubset {
		g.at[key] = len(g.endpoints)
		g.endpoints = append(g.endpoints, e)
	}
}

// reconcile decides on the slices of a group: there is one, or none if it has no endpoints.
func (m *mirror) reconcile(g *group) {
	if len(g.endpoints) == 0 {
		m.deletes = append(m.deletes, g.slices...)
		return
	}
	if len(g.slices) == 0 {
		m.creates = append(m.creates, m.slice(g))
		return
	}
	if m.deletes = append(m.deletes, g.slices[1:]...); !m.same(g.slices[0], g) {
		m.updates = append(m.updates, m.changed(g.slices[0], m.slice(g)))
	}
}

// same reports whether a slice matches the group. The order of its endpoints does not matter.
func (m *mirror) same(slice *discoveryv1.EndpointSlice, g *group) bool {
	want := m.slice(g)
	if len(slice.Endpoints) != len(g.endpoints) || !equality.Semantic.DeepEqual(slice.Labels, want.Labels) ||
		!equality.Semantic.DeepEqual(slice.Annotations, want.Annotations) {
		return false
	}
	for _, owner := range slice.OwnerReferences {
		if owner.Kind == "Endpoints" && owner.Name == m.Endpoints.Name && owner.UID != m.Endpoints.UID {
			return false
		}
	}
	byKey := make(map[endpoint.Key]*discoveryv1.Endpoint, len(slice.Endpoints))
	for i := range slice.Endpoints {
		byKey[endpoint.KeyOf(&slice.Endpoints[i])] = &slice.Endpoints[i]
	}
	return !slices.ContainsFunc(g.endpoints, func(e discoveryv1.Endpoint) bool {
		is := byKey[endpoint.KeyOf(&e)]
		return is == nil || !equality.Semantic.DeepEqual(*is, e)
	})
}

// slice is a new slice with the content of a group. It has the labels and annotations of the
// Endpoints.
func (m *mirror) slice(g *group) *discoveryv1.EndpointSlice {
	prefix := m.Endpoints.Name + "-"
	if len(validation.NameIsDNSSubdomain(prefix, true)) > 0 {
		prefix = m.Endpoints.Name
	}
	labels, annotations := maps.Clone(m.Endpoints.Labels), maps.Clone(m.Endpoints.Annotations)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[discoveryv1.LabelServiceName], labels[discoveryv1.LabelManagedBy] = m.Endpoints.Name, ManagedBy
	delete(annotations, corev1.EndpointsLastChangeTriggerTime)
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: prefix, Namespace: m.Endpoints.Namespace, Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(m.Endpoints, corev1.SchemeGroupVersion.WithKind("Endpoints"))},
		},
		AddressType: g.family, Ports: g.ports, Endpoints: g.endpoints,
	}
}

// changed is a slice with the content of another one.
func (m *mirror) changed(slice, like *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	next := *slice
	next.ObjectMeta = *slice.ObjectMeta.DeepCopy()
	next.Labels, next.Annotations, next.OwnerReferences = like.Labels, like.Annotations, like.OwnerReferences
	next.Ports, next.Endpoints = like.Ports, like.Endpoints
	if !equality.Semantic.DeepEqual(next.Labels, slice.Labels) || !equality.Semantic.DeepEqual(next.Ports, slice.Ports) ||
		!equality.Semantic.DeepEqual(next.Endpoints, slice.Endpoints) {
		next.Generation++
	}
	return &next
}

// plan reuses slices that would be deleted in place of new ones, and reports what is omitted.
func (m *mirror) plan() (p plan.Plan) {
	for _, slice := range m.creates {
		i := slices.IndexFunc(m.deletes, func(d *discoveryv1.EndpointSlice) bool { return d.AddressType == slice.AddressType })
		switch {
		case i >= 0:
			m.updates = append(m.updates, m.changed(m.deletes[i], slice))
			m.deletes = slices.Delete(slices.Clone(m.deletes), i, i+1)
		case m.Endpoints.DeletionTimestamp == nil:
			p.Creates = append(p.Creates, plan.Create{Object: slice})
		}
	}
	for _, slice := range m.updates {
		p.Updates = append(p.Updates, plan.Update{Object: slice})
	}
	for _, slice := range m.deletes {
		p.Deletes = append(p.Deletes, plan.Delete{Object: slice})
	}
	if p.Empty() {
		return p
	}
	warn := func(reason, message string) {
		p.Events = append(p.Events, plan.Event{Regarding: m.Endpoints, Type: corev1.EventTypeWarning, Reason: reason, Message: message, Component: component})
	}
	if m.invalid > 0 {
		warn("InvalidIPAddress", fmt.Sprintf("Skipped %d invalid IP addresses when mirroring to EndpointSlices", m.invalid))
	}
	if m.skipped > m.invalid {
		warn("TooManyAddressesToMirror",
			fmt.Sprintf("A max of %d addresses can be mirrored to EndpointSlices per Endpoints subset. %d addresses were skipped", perSubset, m.skipped))
	}
	return p
}
