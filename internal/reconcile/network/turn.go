package network

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

	// Affinity are the endpoints that its connections stay with, the most recently used last.
	Affinity []Affinity

	number int
}

// Affinity means that a client's connections to a port of a Service go to an endpoint.
type Affinity struct {
	Port string    `json:"port"` // NAMESPACE/SERVICE:NAME
	Host Host      `json:"host"`
	Last time.Time `json:"last"` // when the last connection was opened
}

// mostAffinities is the maximum number of Service ports for which a client keeps an affinity.
const mostAffinities = 32

// ClientOf is the Pod as a client.
func ClientOf(pod *corev1.Pod) Client {
	return Client{UID: string(pod.UID), Address: pod.Status.PodIP, Node: pod.Spec.NodeName, NodeAddress: pod.Status.HostIP, OnHost: pod.Spec.HostNetwork}
}

// Opens is the client, or its node, as it opens the connection of a question.
func (c Client) Opens(q emulator.Query) Client {
	if c.number = q.ID; q.Node {
		c.Address, c.OnHost, c.Affinity = c.NodeAddress, true, nil
	}
	return c
}

// alone is the client without affinities.
func (c Client) alone() Client {
	c.Affinity = nil
	return c
}

// stuck is the endpoint of the client's affinity; false if it has none or the endpoint is gone.
func (c Client) stuck(port string, among []Destination) (Destination, bool) {
	for _, a := range c.Affinity {
		if i := slices.IndexFunc(among, func(d Destination) bool { return d.Host == a.Host }); a.Port == port && i >= 0 {
			return among[i], true
		}
	}
	return Destination{}, false
}

// Connect determines the way of a connection that a client opens now, and returns the client's
// affinities after it. It modifies the given ones.
func (o *Outside) Connect(c Client, q emulator.Query, now time.Time) (w Way, affinity []Affinity, known bool) {
	w, known = o.way(c, q)
	if known && w.Sticks != "" && c.loosen(w, now) {
		w, known = o.way(c, q)
	}
	if known && w.Sticks != "" {
		c.stick(w, now)
	}
	return w, c.Affinity, known
}

// loosen ends the affinity by which a connection would go this way, if that has been without a
// connection for too long.
func (c *Client) loosen(w Way, now time.Time) (loosened bool) {
	old := now.Add(-time.Duration(w.until) * time.Second)
	before := len(c.Affinity)
	c.Affinity = slices.DeleteFunc(c.Affinity, func(a Affinity) bool { return a.Port == w.Sticks && a.Last.Before(old) })
	return len(c.Affinity) < before
}

// stick records the client's affinity to an endpoint.
func (c *Client) stick(w Way, now time.Time) {
	c.Affinity = slices.DeleteFunc(c.Affinity, func(a Affinity) bool { return a.Port == w.Sticks })
	c.Affinity = append(c.Affinity, Affinity{Port: w.Sticks, Host: w.To[0].Host, Last: now})
	c.Affinity = c.Affinity[max(0, len(c.Affinity)-mostAffinities):]
}

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
