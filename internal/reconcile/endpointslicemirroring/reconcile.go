// Package endpointslicemirroring mirrors Endpoints that were made by hand into EndpointSlices, one for each set of ports and
// family of addresses, since EndpointSlices are what proxies and Pods go by.
//
// Endpoints must be synced when somebody else than the controller of Endpoints has changed them, when the Service of their name
// comes, goes, or begins or ceases to select Pods, and when somebody else has changed one of their slices.
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
	// ManagedBy is the value of the label that says whose slices these are.
	ManagedBy = "endpointslicemirroring-controller.k8s.io"
	// perSubset is how many addresses of a subset are mirrored, and how many endpoints a slice holds.
	perSubset = 1000
	component = "endpoint-slice-mirroring-controller"
	leader    = "control-plane.alpha.kubernetes.io/leader"
)

// Snapshot is Endpoints with the Service of their name, nil for none, and their slices, which are ManagedBy this package.
// Reconcile changes nothing in it.
type Snapshot struct {
	Endpoints *corev1.Endpoints
	Service   *corev1.Service
	Slices    []*discoveryv1.EndpointSlice // in the order of their names
}

// Mirrored says whether the Endpoints are mirrored at all, if they have a Service without a selector: not if a label says that
// they are not, nor if they were made to elect a leader.
//
// Source: kubernetes v1.36 pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go, shouldMirror
func Mirrored(e *corev1.Endpoints) bool {
	_, electing := e.Annotations[leader]
	return e.Labels[discoveryv1.LabelSkipMirror] != "true" && !electing
}

// Reconcile brings the slices to what the Endpoints say, and removes those of Endpoints that are not to be mirrored.
//
// Differs: addresses that are left out are told of when slices change, not with every sync.
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
	invalid, skipped          int // addresses that are left out; skipped counts the invalid ones too
	creates, updates, deletes []*discoveryv1.EndpointSlice
}

// group is the endpoints of one family that serve the same ports.
type group struct {
	family    discoveryv1.AddressType
	ports     []discoveryv1.EndpointPort
	endpoints []discoveryv1.Endpoint
	at        map[string]int // where in endpoints which one is, by its key
	slices    []*discoveryv1.EndpointSlice
}

// group is that of a family and ports, a new one if there is none.
func (m *mirror) group(family discoveryv1.AddressType, ports []discoveryv1.EndpointPort) *group {
	key := string(family) + " " + endpoint.PortsKey(ports)
	if m.groups[key] == nil {
		m.groups[key] = &group{family: family, ports: ports, at: map[string]int{}}
		m.order = append(m.order, key)
	}
	return m.groups[key]
}

// add adds the addresses of a subset, the ready ones first, as far as they are mirrored.
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

// put adds an endpoint, or replaces the one that it is another state of. A full group takes no more.
func (g *group) put(e discoveryv1.Endpoint) {
	key := endpoint.SameKey(&e)
	if i, known := g.at[key]; known {
		g.endpoints[i] = e
	} else if len(g.endpoints) < perSubset {
		g.at[key] = len(g.endpoints)
		g.endpoints = append(g.endpoints, e)
	}
}

// reconcile decides on the slices of a group: there is one, or none if there are no endpoints.
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

// same says whether a slice is as it should be. The order of its endpoints does not matter.
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
	byKey := make(map[string]*discoveryv1.Endpoint, len(slice.Endpoints))
	for i := range slice.Endpoints {
		byKey[endpoint.SameKey(&slice.Endpoints[i])] = &slice.Endpoints[i]
	}
	return !slices.ContainsFunc(g.endpoints, func(e discoveryv1.Endpoint) bool {
		is := byKey[endpoint.SameKey(&e)]
		return is == nil || !equality.Semantic.DeepEqual(*is, e)
	})
}

// slice is a new one with what a group should have. It has the labels and annotations of the Endpoints.
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

// changed is a slice that has become like another one.
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

// plan makes new slices of those that would go, and tells of what is left out.
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
