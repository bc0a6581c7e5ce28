package network

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// place is the node whose rules forward a connection, and that node's zone; "" if it has none.
type place struct{ node, zone string }

// isFor reports whether the endpoint's hints name the node, or the zone.
func (e endpoint) isFor(at place) (node, zone bool) {
	if e.Hints == nil {
		return false, false
	}
	node = slices.ContainsFunc(e.Hints.ForNodes, func(n discoveryv1.ForNode) bool { return n.Name == at.node })
	zone = slices.ContainsFunc(e.Hints.ForZones, func(z discoveryv1.ForZone) bool { return z.Name == at.zone })
	return node, zone
}

// nearby selects the ready endpoints of a Service's port that take the connections of a place:
// those with hints for its node, else those for its zone. If no endpoint has such a hint for the
// place, or one endpoint has no such hint at all, all endpoints take them.
//
// Source: kubernetes v1.36 pkg/proxy/topology.go, topologyModeFromHints and availableForTopology
func nearby(p *corev1.ServicePort, behind []*discoveryv1.EndpointSlice, at place) func(endpoint) bool {
	allForNodes, allForZones, anyForNode, anyForZone := true, true, false, false
	for _, slice := range behind {
		if slice.AddressType != discoveryv1.AddressTypeIPv4 || portIn(slice, p) == 0 {
			continue
		}
		for i := range slice.Endpoints {
			e := endpoint{&slice.Endpoints[i]}
			if !e.ready() {
				continue
			}
			allForNodes = allForNodes && e.Hints != nil && len(e.Hints.ForNodes) > 0
			allForZones = allForZones && e.Hints != nil && len(e.Hints.ForZones) > 0
			node, zone := e.isFor(at)
			anyForNode, anyForZone = anyForNode || node, anyForZone || zone
		}
	}
	return func(e endpoint) bool {
		node, zone := e.isFor(at)
		switch {
		case allForNodes && anyForNode:
			return node
		case allForZones && anyForZone:
			return zone
		}
		return true
	}
}

// zoned reports whether any endpoint has a hint for a zone.
func zoned(behind []*discoveryv1.EndpointSlice) bool {
	return slices.ContainsFunc(behind, func(slice *discoveryv1.EndpointSlice) bool {
		return slices.ContainsFunc(slice.Endpoints, func(e discoveryv1.Endpoint) bool { return e.Hints != nil && len(e.Hints.ForZones) > 0 })
	})
}

// placeOf is the place from which a node forwards connections to the endpoints. It is unknown if
// the node's zone matters and was not looked up.
func (o *Outside) placeOf(node string, behind []*discoveryv1.EndpointSlice) (at place, known bool) {
	at.node = node
	if node == "" || !zoned(behind) {
		return at, true
	}
	at.zone, known = o.Zones[node]
	return at, known
}
