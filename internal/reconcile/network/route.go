package network

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

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

// way determines the route of a connection. It is unknown if something that it depends on was not
// looked up.
func (o *Outside) way(c Client, q emulator.Query) (w Way, known bool) {
	if node, ok := o.nodeAt(c, q.Address); ok && IsLoopback(q.Address) {
		return o.atNode(c, node, q)
	}
	s, known := o.Services[Subject{Address: q.Address}]
	if !known {
		direct := Host{Address: q.Address}
		return Way{To: []Destination{{direct, q.Port}}}, o.Peers[direct] != nil // a Pod whose address the client got elsewhere
	}
	if s != nil && q.Kind != emulator.QueryPing {
		if i := servicePort(s, q.Port, ProtocolOf(q)); i >= 0 {
			return o.through(s, i, c, o.entrance(s, c, q))
		}
	}
	switch node, ok := o.nodeAt(c, q.Address); {
	case ok:
		return o.atNode(c, node, q)
	case s != nil:
		return Way{Service: key(s), Outcome: emulator.OutcomeTimeout}, true // a Service's addresses only answer on its ports
	}
	return Way{To: []Destination{{Host{Address: q.Address}, q.Port}}}, true
}

// ProtocolOf is the transport protocol of a question.
func ProtocolOf(q emulator.Query) corev1.Protocol {
	if q.Kind == emulator.QueryUDP || q.Kind == emulator.QueryDNS || q.Kind == QueryKnock {
		return corev1.ProtocolUDP
	}
	return corev1.ProtocolTCP
}

// QueryKnock asks whether a host listens on a UDP port. No program asks this.
const QueryKnock emulator.QueryKind = "knock"

// IsLoopback reports whether an address is of the client's own loopback interface.
func IsLoopback(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && ip.IsLoopback()
}

// nodeAt is the node that has an address; false if none has it.
func (o *Outside) nodeAt(c Client, address string) (node string, ok bool) {
	if c.OnHost && (IsLoopback(address) || address == c.Address) {
		return c.Node, true
	}
	node = o.Nodes[address]
	return node, node != ""
}

// entrance is how a connection enters a Service.
type entrance struct {
	external bool       // by a port of a node, or by an address other than the Service's own
	node     string     // the node whose rules forward it
	masks    string     // that node's address
	ranges   []string   // the allowed clients, as CIDRs; nil allows all
	client   netip.Addr // the client
}

// entrance determines how a connection enters through one of a Service's addresses: its own, or an
// external one, which the client's node handles.
func (o *Outside) entrance(s *corev1.Service, c Client, q emulator.Query) entrance {
	e := entrance{node: c.Node, masks: c.NodeAddress, external: !slices.Contains(s.Spec.ClusterIPs, q.Address)}
	if slices.ContainsFunc(s.Status.LoadBalancer.Ingress, func(i corev1.LoadBalancerIngress) bool { return i.IP == q.Address }) {
		e.ranges = s.Spec.LoadBalancerSourceRanges
		e.client, _ = netip.ParseAddr(c.Address)
	}
	return e
}

// admits reports whether a load balancer's address accepts connections from the client.
func (e entrance) admits() bool {
	return len(e.ranges) == 0 || slices.ContainsFunc(e.ranges, func(cidr string) bool {
		p, err := netip.ParsePrefix(cidr)
		return err == nil && p.Masked().Contains(e.client)
	})
}

// stays is the node that the connection may not leave under the Service's traffic policies; "" if
// it may. The external policy does not apply to a client on the node that forwards the connection.
// It does apply to a connection to a port of another node, even from a Pod: it looks external
// there, because nodes masquerade what their Pods send to other nodes.
//
// Source: kubernetes v1.36 pkg/proxy/iptables/proxier.go, syncProxyRules and writeServiceToEndpointRules;
// staging/src/k8s.io/api/core/v1/types.go, ServiceSpec.ExternalTrafficPolicy
func (e entrance) stays(s *corev1.Service, c Client) string {
	if e.external {
		if s.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal && c.Node != e.node {
			return e.node
		}
		return ""
	}
	if p := s.Spec.InternalTrafficPolicy; p != nil && *p == corev1.ServiceInternalTrafficPolicyLocal {
		return c.Node
	}
	return ""
}

// through is the route of a connection through a Service's port.
func (o *Outside) through(s *corev1.Service, port int, c Client, e entrance) (w Way, known bool) {
	behind, known := o.Slices[key(s)]
	if !known {
		return w, false
	}
	w.Service = key(s)
	if !e.admits() {
		w.Outcome = emulator.OutcomeTimeout
		return w, true
	}
	p := &s.Spec.Ports[port]
	at, known := o.placeOf(e.node, behind)
	if !known {
		return w, false
	}
	ends, outcome := endpoints(p, behind, e.stays(s, c), at)
	if w.Outcome = outcome; outcome != emulator.OutcomeOK {
		return w, true
	}
	if e.external && s.Spec.ExternalTrafficPolicy != corev1.ServiceExternalTrafficPolicyLocal {
		w.From = e.masks
	}
	if config := s.Spec.SessionAffinityConfig; s.Spec.SessionAffinity == corev1.ServiceAffinityClientIP {
		w.Sticks, w.until = key(s)+":"+p.Name, corev1.DefaultClientIPServiceAffinitySeconds
		if config != nil && config.ClientIP != nil && config.ClientIP.TimeoutSeconds != nil {
			w.until = *config.ClientIP.TimeoutSeconds
		}
		if d, ok := c.stuck(w.Sticks, ends); ok {
			w.To = []Destination{d}
			return w, true
		}
	}
	w.To = []Destination{draw(s, c, ends)}
	return w, true
}

// atNode is the route of a connection to a node: to the Service with that node port, to the Pod
// with that host port, or to a Pod that uses the node's network.
func (o *Outside) atNode(c Client, node string, q emulator.Query) (w Way, known bool) {
	pods, known := o.OnNode[NodePort{node, q.Port}]
	if !known {
		return w, false
	}
	switch {
	case o.Silent[node]:
		return nowhere(emulator.OutcomeTimeout)
	case q.Kind == emulator.QueryPing:
		return Way{Own: &emulator.Answer{}}, true
	}
	if s := o.Services[Subject{NodePort: q.Port}]; s != nil {
		if needsHealthCheck(s) && int(s.Spec.HealthCheckNodePort) == q.Port {
			behind, known := o.Slices[key(s)]
			return Way{Own: healthOf(s, behind, node)}, known
		}
		for i := range s.Spec.Ports {
			if p := &s.Spec.Ports[i]; int(p.NodePort) == q.Port && p.Protocol == ProtocolOf(q) {
				e := entrance{external: true, node: node, masks: q.Address}
				if IsLoopback(q.Address) {
					e.masks = c.NodeAddress
				}
				return o.through(s, i, c, e)
			}
		}
	}
	if w.To = onHost(c, pods, q); len(w.To) == 0 {
		return nowhere(emulator.OutcomeRefused)
	}
	return w, true
}

// onHost are the Pods on a node that may take a connection to it: the one with that host port, else
// those that use the node's network, the ones that declare the port first. The client itself was
// tried before.
//
// Source: the portmap plugin of the container network interface, v1.9, portmap.go, fillDnatRules
func onHost(c Client, pods []*corev1.Pod, q emulator.Query) (to []Destination) {
	var sharing []Destination
	for _, pod := range pods {
		at := Host{Address: pod.Status.PodIP, Namespace: pod.Namespace, Pod: pod.Name}
		p := hostPort(pod, q)
		switch {
		case pod.Status.PodIP == "":
		case !pod.Spec.HostNetwork && p != nil:
			return []Destination{{at, int(p.ContainerPort)}}
		case !pod.Spec.HostNetwork || string(pod.UID) == c.UID:
		case p != nil:
			to = append(to, Destination{at, q.Port})
		default:
			sharing = append(sharing, Destination{at, q.Port})
		}
	}
	return append(to, sharing...)
}

// hostPort is the port of a Pod that a question to its node is for; nil if none exists.
func hostPort(pod *corev1.Pod, q emulator.Query) *corev1.ContainerPort {
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			for j := range list[i].Ports {
				p := &list[i].Ports[j]
				anywhere := p.HostIP == "" || p.HostIP == "0.0.0.0" || p.HostIP == "::"
				if int(p.HostPort) == q.Port && p.Protocol == ProtocolOf(q) && (anywhere || p.HostIP == q.Address) {
					return p
				}
			}
		}
	}
	return nil
}

// needsHealthCheck reports whether nodes serve a health check that says whether they have a ready
// Pod of a Service.
func needsHealthCheck(s *corev1.Service) bool {
	return s.Spec.Type == corev1.ServiceTypeLoadBalancer &&
		s.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal && s.Spec.HealthCheckNodePort != 0
}

// healthOf is a node's answer to a load balancer that checks whether the node has a ready Pod of a
// Service.
//
// Source: kubernetes v1.36 pkg/proxy/healthcheck/service_health.go, hcHandler.ServeHTTP
func healthOf(s *corev1.Service, behind []*discoveryv1.EndpointSlice, node string) *emulator.Answer {
	ready := map[string]bool{}
	for _, slice := range behind {
		for i := range slice.Endpoints {
			if e := (endpoint{&slice.Endpoints[i]}); e.ready() && e.NodeName != nil && *e.NodeName == node {
				ready[e.address()] = true
			}
		}
	}
	a := emulator.Answer{Status: 503, Header: []string{"Content-Type: application/json", "X-Content-Type-Options: nosniff",
		fmt.Sprintf("X-Load-Balancing-Endpoint-Weight: %d", len(ready))}}
	if len(ready) > 0 {
		a.Status = 200
	}
	a.Body = emulator.Text(fmt.Sprintf("{\n\t\"service\": {\n\t\t\"namespace\": %q,\n\t\t\"name\": %q\n\t},\n"+
		"\t\"localEndpoints\": %d,\n\t\"serviceProxyHealthy\": true\n}",
		s.Namespace, s.Name, len(ready)))
	return &a
}

// servicePort is the index of a Service's port; -1 if it has no such port.
func servicePort(s *corev1.Service, number int, protocol corev1.Protocol) int {
	return slices.IndexFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return int(p.Port) == number && p.Protocol == protocol })
}
