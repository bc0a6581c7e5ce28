package network

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// endpoint is an endpoint in an EndpointSlice.
type endpoint struct{ *discoveryv1.Endpoint }

// address is the endpoint's first address, the only one used; the API rejects endpoints without
// addresses.
func (e endpoint) address() string { return e.Addresses[0] }

func (e endpoint) host() Host {
	h := Host{Address: e.address()}
	if ref := e.TargetRef; ref != nil && ref.Kind == "Pod" {
		h.Namespace, h.Pod = ref.Namespace, ref.Name
	}
	return h
}

// label is the endpoint's name in its Service's domain: its hostname or, without one, its address
// with dashes.
func (e endpoint) label() string {
	if e.Hostname != nil && *e.Hostname != "" {
		return *e.Hostname
	}
	return strings.NewReplacer(".", "-", ":", "-").Replace(e.address())
}

func (e endpoint) ready() bool { return e.Conditions.Ready == nil || *e.Conditions.Ready }

func (e endpoint) servesUntilGone() bool {
	c := &e.Conditions
	return c.Serving != nil && *c.Serving && c.Terminating != nil && *c.Terminating
}

// published are the endpoints that have names, by Pod and address: those that are ready, or that
// count as ready because their Service publishes all of them.
func published(behind []*discoveryv1.EndpointSlice) []endpoint {
	var all []endpoint
	for _, slice := range behind {
		all = append(all, publishedIn(slice)...)
	}
	slices.SortFunc(all, func(a, b endpoint) int {
		return cmp.Or(cmp.Compare(a.host().Pod, b.host().Pod), cmp.Compare(a.address(), b.address()))
	})
	return slices.CompactFunc(all, func(a, b endpoint) bool { return a.address() == b.address() && a.label() == b.label() })
}

func publishedIn(slice *discoveryv1.EndpointSlice) (all []endpoint) {
	if slice.AddressType == discoveryv1.AddressTypeFQDN {
		return nil
	}
	for i := range slice.Endpoints {
		if e := (endpoint{&slice.Endpoints[i]}); e.ready() {
			all = append(all, e)
		}
	}
	return all
}

// portIn is the number of a Service's port in a slice; 0 if the slice has no port of that name.
func portIn(slice *discoveryv1.EndpointSlice, p *corev1.ServicePort) int {
	for _, port := range slice.Ports {
		name := ""
		if port.Name != nil {
			name = *port.Name
		}
		if name == p.Name && port.Port != nil && (port.Protocol == nil || *port.Protocol == p.Protocol) {
			return int(*port.Port)
		}
	}
	return 0
}
