package network

import (
	"hash/fnv"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// endpoints are where a connection to a port of a Service may go: the ready ones or, if none is
// ready, those that still serve while they are being deleted. If none exist, it is refused. If
// there are some, but none on the node it must stay on, it is lost. If it need not stay on a node,
// it goes to those nearby.
//
// Source: kubernetes v1.36 pkg/proxy/topology.go, CategorizeEndpoints; pkg/proxy/iptables/proxier.go, syncProxyRules
func endpoints(p *corev1.ServicePort, behind []*discoveryv1.EndpointSlice, stays string, at place) (ready []Destination, none emulator.Outcome) {
	var leaving []Destination
	elsewhere, near := false, nearby(p, behind, at)
	for _, slice := range behind {
		number := portIn(slice, p)
		if slice.AddressType != discoveryv1.AddressTypeIPv4 || number == 0 {
			continue
		}
		for i := range slice.Endpoints {
			e := endpoint{&slice.Endpoints[i]}
			list := &leaving
			switch {
			case e.ready() && (stays != "" || near(e)):
				list = &ready
			case e.ready() || !e.servesUntilGone():
				continue
			}
			if stays != "" && (e.NodeName == nil || *e.NodeName != stays) {
				elsewhere = true
				continue
			}
			*list = append(*list, Destination{Host: e.host(), Port: number})
		}
	}
	if len(ready) == 0 {
		ready = leaving
	}
	switch {
	case len(ready) > 0:
		return ready, emulator.OutcomeOK
	case elsewhere:
		return nil, emulator.OutcomeTimeout
	}
	return nil, emulator.OutcomeRefused
}

// draw is the endpoint chosen for the connection: the one whose hash with the connection is
// greatest. So every caller chooses the same one, in any order of the endpoints, and all endpoints
// have the same chance.
func draw(s *corev1.Service, c Client, among []Destination) Destination {
	seed := c.UID + " " + strconv.Itoa(c.number) + " " + key(s)
	best, most := 0, uint64(0)
	for i := range among {
		h := fnv.New64a()
		h.Write([]byte(seed + " " + among[i].Host.Address + " " + among[i].Host.Pod))
		if sum := mix(h.Sum64()); sum > most || i == 0 {
			best, most = i, sum
		}
	}
	return among[best]
}

// mix spreads differences in a few bits over all bits, which FNV does not do for the last bytes.
// Source: Stafford, Better Bit Mixing, Mix13.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
