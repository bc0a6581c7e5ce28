package kubelet

import (
	"hash/fnv"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// Client is a Pod as it connects to Services.
type Client struct{ UID, Address, Node string }

// ClientOf is the Pod as a client.
func ClientOf(pod *corev1.Pod) Client {
	return Client{UID: string(pod.UID), Address: pod.Status.PodIP, Node: pod.Spec.NodeName}
}

// connection is one that a client opens to a Service. No two of a Pod have the same number.
type connection struct {
	Client
	number int
}

func (c Client) opens(q emulator.Query) connection { return connection{c, q.ID} }

// destination is where a connection to a Service ends up.
type destination struct {
	host    Host
	port    int
	outcome emulator.Outcome // OutcomeOK if there is one
}

// through is where a connection to a port of a Service goes: to one of the endpoints that are ready or, where none is, of those that
// still serve while they are being deleted. Without any it is refused, and lost if there are some but on other nodes only, and the
// Service's traffic is not to leave the node.
//
// Each connection draws an endpoint, by a hash of what it is: the draw is the same whoever makes it, and even. With an affinity
// all connections from an address to the Service draw the same, as long as that endpoint is there.
//
// Source: kubernetes v1.36 pkg/proxy/topology.go, CategorizeEndpoints; pkg/proxy/iptables/proxier.go, syncProxyRules and
// writeServiceToEndpointRules
// Differs: an affinity does not end with sessionAffinityConfig.clientIP.timeoutSeconds without a connection.
func through(s *corev1.Service, p *corev1.ServicePort, behind []*discoveryv1.EndpointSlice, c connection) destination {
	local := s.Spec.InternalTrafficPolicy != nil && *s.Spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal
	var ready, leaving []destination
	elsewhere := false
	for _, slice := range behind {
		number := portIn(slice, p)
		if slice.AddressType != discoveryv1.AddressTypeIPv4 || number == 0 {
			continue
		}
		for i := range slice.Endpoints {
			e := endpoint{&slice.Endpoints[i]}
			list := &leaving
			if e.ready() {
				list = &ready
			} else if !e.servesUntilGone() {
				continue
			}
			if local && (e.NodeName == nil || *e.NodeName != c.Node) {
				elsewhere = true
				continue
			}
			*list = append(*list, destination{host: e.host(), port: number})
		}
	}
	if len(ready) == 0 {
		ready = leaving
	}
	switch {
	case len(ready) > 0:
		return draw(s, c, ready)
	case elsewhere:
		return destination{outcome: emulator.OutcomeTimeout}
	}
	return destination{outcome: emulator.OutcomeRefused}
}

// draw is the destination that the connection draws: the one whose hash with the connection is greatest, so that it does not matter
// in which order they come, and that one which comes or goes changes the draws of few.
func draw(s *corev1.Service, c connection, among []destination) destination {
	seed := c.UID + " " + strconv.Itoa(c.number) + " " + key(s)
	if s.Spec.SessionAffinity == corev1.ServiceAffinityClientIP {
		seed = c.Address + " " + key(s)
	}
	best, most := 0, uint64(0)
	for i := range among {
		h := fnv.New64a()
		h.Write([]byte(seed + " " + among[i].host.Address + " " + among[i].host.Pod))
		if sum := mix(h.Sum64()); sum > most || i == 0 {
			best, most = i, sum
		}
	}
	return among[best]
}

// mix spreads what differs in a few bits over all of them, which FNV does not do for the last bytes.
// Source: Stafford, Better Bit Mixing, Mix13.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// servicePort is the index of a Service's TCP port; -1 for none.
func servicePort(s *corev1.Service, number int) int {
	return slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool {
		return int(p.Port) == number && p.Protocol == corev1.ProtocolTCP
	})
}

// portIn is the number behind a Service's port in a slice; 0 if it has none of that name.
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
