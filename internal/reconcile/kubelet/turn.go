package kubelet

import (
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// Client is a Pod as it opens a connection. No two connections of a Pod have the same number.
type Client struct {
	UID, Address, Node string
	NodeAddress        string
	OnHost             bool // it uses its node's network

	number   int
	affinity []affinity
}

// affinity means that a client's connections to a port of a Service go to an endpoint.
type affinity struct {
	Port string    `json:"port"` // NAMESPACE/SERVICE:NAME
	Host Host      `json:"host"`
	Last time.Time `json:"last"` // when the last connection was opened
}

// mostAffinities is the maximum number of Service ports for which a client keeps an affinity.
const mostAffinities = 32

// clientOf is the Pod as a client.
func clientOf(pod *corev1.Pod) Client {
	return Client{UID: string(pod.UID), Address: pod.Status.PodIP, Node: pod.Spec.NodeName, NodeAddress: pod.Status.HostIP, OnHost: pod.Spec.HostNetwork}
}

// opens is the client, or its node, as it opens the connection of a question.
func (c Client) opens(q emulator.Query) Client {
	if c.number = q.ID; q.Node {
		c.Address, c.OnHost, c.affinity = c.NodeAddress, true, nil
	}
	return c
}

// alone is the client without affinities.
func (c Client) alone() Client {
	c.affinity = nil
	return c
}

// stuck is the endpoint of the client's affinity; false if it has none or the endpoint is gone.
func (c Client) stuck(port string, among []destination) (destination, bool) {
	for _, a := range c.affinity {
		if i := slices.IndexFunc(among, func(d destination) bool { return d.host == a.Host }); a.Port == port && i >= 0 {
			return among[i], true
		}
	}
	return destination{}, false
}

// stick records the Pod's affinity to an endpoint.
func (k *sync) stick(w way) {
	k.touched = true
	k.memory.Affinity = slices.DeleteFunc(k.memory.Affinity, func(a affinity) bool { return a.Port == w.sticks })
	k.memory.Affinity = append(k.memory.Affinity, affinity{Port: w.sticks, Host: w.to[0].host, Last: k.runtime.Now().UTC()})
	if n := len(k.memory.Affinity); n > mostAffinities {
		k.memory.Affinity = k.memory.Affinity[n-mostAffinities:]
	}
}

// loosen ends an affinity that has been without a connection for too long.
func (k *sync) loosen(w way) bool {
	old := k.runtime.Now().Add(-seconds(w.until))
	before := len(k.memory.Affinity)
	k.memory.Affinity = slices.DeleteFunc(k.memory.Affinity, func(a affinity) bool { return a.Port == w.sticks && a.Last.Before(old) })
	return len(k.memory.Affinity) < before
}

// endpoints are where a connection to a port of a Service may go: the ready ones or, if none is
// ready, those that still serve while they are being deleted. If none exist, it is refused. If
// there are some, but none on the node it must stay on, it is lost. If it need not stay on a node,
// it goes to those nearby.
//
// Source: kubernetes v1.36 pkg/proxy/topology.go, CategorizeEndpoints; pkg/proxy/iptables/proxier.go, syncProxyRules
func endpoints(p *corev1.ServicePort, behind []*discoveryv1.EndpointSlice, stays string, at place) (ready []destination, none emulator.Outcome) {
	var leaving []destination
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
			*list = append(*list, destination{host: e.host(), port: number})
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
func draw(s *corev1.Service, c Client, among []destination) destination {
	seed := c.UID + " " + strconv.Itoa(c.number) + " " + key(s)
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

// mix spreads differences in a few bits over all bits, which FNV does not do for the last bytes.
// Source: Stafford, Better Bit Mixing, Mix13.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// servicePort is the index of a Service's port; -1 if it has no such port.
func servicePort(s *corev1.Service, number int, protocol corev1.Protocol) int {
	return slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return int(p.Port) == number && p.Protocol == protocol })
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
