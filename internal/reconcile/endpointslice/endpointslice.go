// Package endpointslice maintains the EndpointSlices of a Service: one endpoint for each Pod that
// it selects, in slices of up to a hundred, changing as few slices as possible.
//
// A Service must be synced when it changes, when a Pod that it selects or selected changes in a way
// that wakeup.Selected reports, and when another writer changes one of its slices.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/reconciler.go
package endpointslice

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	// ManagedBy is the value of the label that names the manager of these slices.
	ManagedBy = "endpointslice-controller.k8s.io"
	// perSlice is the maximum number of endpoints in a slice.
	perSlice = 100
)

// Snapshot is a Service with the Pods that it selects and its slices, which are ManagedBy this
// package. Reconcile does not modify it.
type Snapshot struct {
	Service *corev1.Service
	Pods    []*corev1.Pod // by name
	Slices  []*discoveryv1.EndpointSlice
	// Zones are the zones of the existing nodes, by node name; empty if a node has none.
	Zones map[string]string
}

// Reconcile makes the slices match the Pods. It ignores a Service without a selector.
func Reconcile(s Snapshot) plan.Plan {
	if !endpoint.Selects(s.Service) || s.Service.DeletionTimestamp != nil {
		return plan.Plan{}
	}
	c := &changes{Snapshot: s}
	for _, family := range s.Service.Spec.IPFamilies {
		c.reconcile(family)
	}
	for _, slice := range s.Slices {
		if !slices.ContainsFunc(s.Service.Spec.IPFamilies, func(f corev1.IPFamily) bool { return addressType(f) == slice.AddressType }) {
			c.deletes = append(c.deletes, slice)
		}
	}
	return c.plan()
}

func addressType(family corev1.IPFamily) discoveryv1.AddressType {
	return discoveryv1.AddressType(family)
}

// changes is what a sync has decided so far.
type changes struct {
	Snapshot
	creates, updates, deletes []*discoveryv1.EndpointSlice // updates are copies
	// present are the endpoints of the family's slices. Most are as they must be, and are used
	// again.
	present map[endpoint.Key]*discoveryv1.Endpoint
	draft   parts // of the endpoint that is being compared with those
}

// group is the endpoints that serve the same ports.
type group struct {
	ports     []discoveryv1.EndpointPort
	endpoints []discoveryv1.Endpoint
	slices    []*discoveryv1.EndpointSlice
}

// reconcile decides on the slices of one address family.
func (c *changes) reconcile(family corev1.IPFamily) {
	var order []string
	groups := map[string]*group{}
	of := func(ports []discoveryv1.EndpointPort) *group {
		key := endpoint.PortsKey(ports)
		if groups[key] == nil {
			groups[key] = &group{ports: ports}
			order = append(order, key)
		}
		return groups[key]
	}
	existing := 0
	c.present = make(map[endpoint.Key]*discoveryv1.Endpoint, len(c.Pods))
	var deletes []*discoveryv1.EndpointSlice
	for _, slice := range c.Slices {
		switch {
		case slice.AddressType != addressType(family):
		case !metav1.IsControlledBy(slice, c.Service):
			existing++
			deletes = append(deletes, slice)
		default:
			existing++
			g := of(slice.Ports)
			g.slices = append(g.slices, slice)
			for i := range slice.Endpoints {
				c.present[endpoint.KeyOf(&slice.Endpoints[i])] = &slice.Endpoints[i]
			}
		}
	}
	var g *group
	alike := endpoint.AlikePorts(c.Service)
	for _, pod := range c.Pods {
		if e, ok := c.endpoint(pod, family); ok {
			if g == nil || !alike {
				g = of(c.ports(pod))
			}
			if alike && g.endpoints == nil {
				g.endpoints = make([]discoveryv1.Endpoint, 0, len(c.Pods))
			}
			g.endpoints = append(g.endpoints, e)
		}
	}
	before := len(c.creates)
	for _, key := range order {
		deletes = append(deletes, c.fill(groups[key], family)...)
	}
	if len(deletes) == existing && len(c.creates) == before { // a Service without endpoints has an empty slice
		placeholder := c.newSlice(family, []discoveryv1.EndpointPort{})
		if len(deletes) == 1 && samePlaceholder(deletes[0], placeholder) {
			return
		}
		c.creates = append(c.creates, placeholder)
	}
	c.deletes = append(c.deletes, deletes...)
}

func samePlaceholder(a, b *discoveryv1.EndpointSlice) bool {
	return len(a.Endpoints) == 0 && len(a.Ports) == 0 && a.AddressType == b.AddressType &&
		equality.Semantic.DeepEqual(a.Labels, b.Labels) && equality.Semantic.DeepEqual(a.OwnerReferences, b.OwnerReferences)
}

// fill distributes a group's endpoints among its slices, and returns the slices that become empty.
// Existing endpoints stay where they are. New ones go first into slices that change anyway, then
// into one that has room for all, then into new slices.
func (c *changes) fill(g *group, family corev1.IPFamily) (empty []*discoveryv1.EndpointSlice) {
	wanted := make(map[endpoint.Key]int, len(g.endpoints))
	for i := range g.endpoints {
		wanted[endpoint.KeyOf(&g.endpoints[i])] = i
	}
	placed := make([]bool, len(g.endpoints))
	var changed, unchanged []*discoveryv1.EndpointSlice
	labels := c.labels()
	for _, slice := range g.slices {
		var kept []discoveryv1.Endpoint
		differs := !equality.Semantic.DeepEqual(slice.Labels, labels)
		for i := range slice.Endpoints {
			n, ok := wanted[endpoint.KeyOf(&slice.Endpoints[i])]
			if !ok || placed[n] {
				differs = true
				continue
			}
			placed[n] = true
			kept = append(kept, g.endpoints[n])
			differs = differs || !reused(&g.endpoints[n], &slice.Endpoints[i]) && !equality.Semantic.DeepEqual(g.endpoints[n], slice.Endpoints[i])
		}
		switch {
		case len(kept) == 0:
			empty = append(empty, slice)
		case differs:
			changed = append(changed, c.changed(slice, kept))
		default:
			unchanged = append(unchanged, slice)
		}
	}
	var left []discoveryv1.Endpoint
	for i, is := range placed {
		if !is {
			left = append(left, g.endpoints[i])
		}
	}
	slices.SortStableFunc(changed, func(a, b *discoveryv1.EndpointSlice) int { return len(b.Endpoints) - len(a.Endpoints) })
	for _, slice := range changed {
		left = take(slice, left)
	}
	if room := fullest(unchanged, len(left)); len(left) > 0 && room != nil {
		slice := c.changed(room, room.Endpoints)
		left = take(slice, left)
		changed = append(changed, slice)
	}
	for len(left) > 0 {
		slice := c.newSlice(family, g.ports)
		left = take(slice, left)
		c.creates = append(c.creates, slice)
	}
	c.updates = append(c.updates, changed...)
	return empty
}

// take moves endpoints into a slice while it has room, and returns the others.
func take(slice *discoveryv1.EndpointSlice, left []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	n := min(len(left), max(0, perSlice-len(slice.Endpoints)))
	slice.Endpoints = append(slice.Endpoints, left[:n]...)
	return left[n:]
}

// fullest is the slice with the most endpoints that has room for n more; nil if none has.
func fullest(in []*discoveryv1.EndpointSlice, n int) (best *discoveryv1.EndpointSlice) {
	for _, slice := range in {
		if len(slice.Endpoints)+n <= perSlice && (best == nil || len(slice.Endpoints) > len(best.Endpoints)) {
			best = slice
		}
	}
	return best
}

// changed is a copy of a slice with other endpoints and the Service's labels.
func (c *changes) changed(slice *discoveryv1.EndpointSlice, endpoints []discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	next := *slice
	next.ObjectMeta = *slice.ObjectMeta.DeepCopy()
	next.Labels = c.labels()
	next.Endpoints = slices.Clone(endpoints)
	next.Generation++
	return &next
}

func (c *changes) newSlice(family corev1.IPFamily, ports []discoveryv1.EndpointPort) *discoveryv1.EndpointSlice {
	prefix := c.Service.Name + "-"
	if len(validation.NameIsDNSSubdomain(prefix, true)) > 0 {
		prefix = c.Service.Name
	}
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: prefix, Namespace: c.Service.Namespace, Labels: c.labels(),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(c.Service, corev1.SchemeGroupVersion.WithKind("Service"))},
		},
		AddressType: addressType(family), Ports: ports, Endpoints: []discoveryv1.Endpoint{},
	}
}

// labels are the Service's labels and those that name the slice's Service and manager.
func (c *changes) labels() map[string]string {
	labels := make(map[string]string, len(c.Service.Labels)+2)
	for key, value := range c.Service.Labels {
		labels[key] = value
	}
	delete(labels, corev1.IsHeadlessService)
	if ip := c.Service.Spec.ClusterIP; ip == "" || ip == corev1.ClusterIPNone {
		labels[corev1.IsHeadlessService] = ""
	}
	labels[discoveryv1.LabelServiceName], labels[discoveryv1.LabelManagedBy] = c.Service.Name, ManagedBy
	return labels
}

// endpoint is a Pod as an endpoint; false if it is not one.
func (c *changes) endpoint(pod *corev1.Pod, family corev1.IPFamily) (e discoveryv1.Endpoint, ok bool) {
	address := endpoint.Address(pod, family)
	if !endpoint.Included(pod) || address == "" {
		return e, false
	}
	zone, there := c.Zones[pod.Spec.NodeName]
	publish := c.Service.Spec.PublishNotReadyAddresses
	if !there && !publish {
		return e, false
	}
	serving, terminating := podstate.Ready(pod), pod.DeletionTimestamp != nil
	c.draft = parts{
		addresses: [1]string{address}, ready: publish || serving && !terminating, serving: serving, terminating: terminating,
		target: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		node:   pod.Spec.NodeName, zone: zone, hostname: endpoint.Hostname(pod, c.Service),
	}
	e = c.draft.endpoint()
	e.Hints = c.hints(&e)
	if is := c.present[endpoint.KeyOf(&e)]; is != nil && same(is, &e) {
		return *is, true
	}
	hints, own := e.Hints, c.draft
	e = own.endpoint()
	e.Hints = hints
	return e, true
}

// parts are what an endpoint points to, in one piece.
type parts struct {
	addresses                   [1]string
	ready, serving, terminating bool
	target                      corev1.ObjectReference
	node, zone, hostname        string // empty for none
}

// endpoint is the endpoint that points to the parts, without hints.
func (p *parts) endpoint() discoveryv1.Endpoint {
	some := func(s *string) *string {
		if *s == "" {
			return nil
		}
		return s
	}
	return discoveryv1.Endpoint{
		Addresses: p.addresses[:], Conditions: discoveryv1.EndpointConditions{Ready: &p.ready, Serving: &p.serving, Terminating: &p.terminating},
		TargetRef: &p.target, NodeName: some(&p.node), Zone: some(&p.zone), Hostname: some(&p.hostname),
	}
}

// reused reports whether one endpoint is a copy of the other that shares its parts.
func reused(a, b *discoveryv1.Endpoint) bool {
	return len(a.Addresses) > 0 && len(b.Addresses) > 0 && &a.Addresses[0] == &b.Addresses[0]
}

// same compares two endpoints. It is false for any whose fields this package does not set.
func same(a, b *discoveryv1.Endpoint) bool {
	return slices.Equal(a.Addresses, b.Addresses) && ptr.Equal(a.Conditions.Ready, b.Conditions.Ready) &&
		ptr.Equal(a.Conditions.Serving, b.Conditions.Serving) && ptr.Equal(a.Conditions.Terminating, b.Conditions.Terminating) &&
		ptr.Equal(a.Hostname, b.Hostname) && ptr.Equal(a.TargetRef, b.TargetRef) && ptr.Equal(a.NodeName, b.NodeName) && ptr.Equal(a.Zone, b.Zone) &&
		len(a.DeprecatedTopology) == 0 && len(b.DeprecatedTopology) == 0 && (a.Hints == nil && b.Hints == nil || equality.Semantic.DeepEqual(a.Hints, b.Hints))
}

// hints say which zone and node should use an endpoint, if the Service prefers close traffic.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go, ReconcileHints
func (c *changes) hints(e *discoveryv1.Endpoint) *discoveryv1.EndpointHints {
	d := c.Service.Spec.TrafficDistribution
	if d == nil || !*e.Conditions.Ready {
		return nil
	}
	var h discoveryv1.EndpointHints
	if e.Zone != nil {
		h.ForZones = []discoveryv1.ForZone{{Name: *e.Zone}}
	}
	if e.NodeName != nil && *d == corev1.ServiceTrafficDistributionPreferSameNode {
		h.ForNodes = []discoveryv1.ForNode{{Name: *e.NodeName}}
	}
	if h.ForZones == nil && h.ForNodes == nil {
		return nil
	}
	return &h
}

// ports are those at which a Pod serves the Service's ports. A named port that the Pod does not
// have is left out.
func (c *changes) ports(pod *corev1.Pod) []discoveryv1.EndpointPort {
	ports := []discoveryv1.EndpointPort{}
	for i := range c.Service.Spec.Ports {
		p := &c.Service.Spec.Ports[i]
		if number, ok := endpoint.Port(pod, p); ok {
			ports = append(ports, discoveryv1.EndpointPort{Name: new(p.Name), Port: &number, Protocol: new(p.Protocol), AppProtocol: p.AppProtocol})
		}
	}
	return ports
}

// plan adds the trigger time, and reuses slices that would be deleted in place of new ones.
func (c *changes) plan() (p plan.Plan) {
	var before []map[string]string
	for _, slice := range c.Slices {
		before = append(before, slice.Annotations)
	}
	at := endpoint.Triggered(c.Service, c.Pods, before)
	stamp := func(slice *discoveryv1.EndpointSlice) {
		if at.IsZero() {
			delete(slice.Annotations, corev1.EndpointsLastChangeTriggerTime)
			return
		}
		metav1.SetMetaDataAnnotation(&slice.ObjectMeta, corev1.EndpointsLastChangeTriggerTime, at.Format(time.RFC3339Nano))
	}
	for _, slice := range c.deletes {
		n := len(c.creates)
		if n > 0 && c.creates[n-1].AddressType == slice.AddressType && metav1.IsControlledBy(slice, c.Service) {
			next := c.changed(slice, c.creates[n-1].Endpoints)
			next.Ports = c.creates[n-1].Ports
			c.creates, c.updates = c.creates[:n-1], append(c.updates, next)
			continue
		}
		p.Deletes = append(p.Deletes, plan.Delete{Object: slice})
	}
	for _, slice := range c.updates {
		stamp(slice)
		p.Updates = append(p.Updates, plan.Update{Object: slice})
	}
	for _, slice := range c.creates {
		stamp(slice)
		p.Creates = append(p.Creates, plan.Create{Object: slice})
	}
	return p
}
