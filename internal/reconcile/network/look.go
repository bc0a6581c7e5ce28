package network

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/rowlock/rowlock/internal/emulator"
)

// Look looks up what the questions of a Pod refer to, and what the Pod will probably connect to
// next: the endpoints of the headless Services that they name.
//
// Cost: what the questions refer to, regardless of how many Services there are.
func Look(questions []emulator.Query, client Client, l Lookup) *Outside {
	o := &Outside{
		Services: map[Subject]*corev1.Service{}, Slices: map[string][]*discoveryv1.EndpointSlice{}, Peers: map[Host]*Peer{}, Silent: map[string]bool{},
		Nodes: map[string]string{}, OnNode: map[NodePort][]*corev1.Pod{}, Named: map[string][]*discoveryv1.EndpointSlice{},
		Zones: map[string]string{},
	}
	for _, q := range questions {
		switch q.Kind {
		case emulator.QueryDNS:
			if !IsNameServer(q.Address) {
				o.lookUpAddress(client, q, l)
				continue
			}
			o.lookUp(q, l)
		case emulator.QueryPeers:
			o.lookUpService(behind(q), l)
		default:
			o.lookUpAddress(client, q, l)
		}
	}
	return o
}

// Lookup reads the cluster for Look.
type Lookup struct {
	// Service is the one that is named, or has the address or the port; nil if none exists.
	Service func(Subject) *corev1.Service

	// Node is the name of the node that has an address; "" if none has it. OnNode are the Pods on a
	// node that declare a port of it or, if no Pod does, those that use its network.
	Node   func(address string) string
	OnNode func(NodePort) []*corev1.Pod

	// Zone is the zone of a node; "" if it has none.
	Zone func(node string) string

	// Slices are the slices of a Service, given as its namespace and name joined by a slash.
	Slices func(service string) []*discoveryv1.EndpointSlice

	// Named are the slices that have a hostname for an address.
	Named func(address string) []*discoveryv1.EndpointSlice

	// Peer is the Pod at a host; nil if none exists. If known is false, questions about the host
	// wait for the next sync.
	Peer func(Host) (peer *Peer, known bool)

	// Silent reports whether a node is down.
	Silent func(node string) bool
}

// lookUp looks up what a name refers to. If the name does not exist in the cluster, the next
// question may be for it without the last search domain, so that name is looked up as well. A
// client will probably connect to what it has asked for.
func (o *Outside) lookUp(q emulator.Query, l Lookup) {
	if address := addressIn(string(q.Name)); address != "" {
		o.lookUpService(Subject{Address: address}, l)
		o.Named[address] = l.Named(address)
		return
	}
	name := string(q.Name)
	for range mostAliases + 1 {
		subject, next := subjectOf(name)
		o.lookUpService(next, l)
		s := o.lookUpService(subject, l)
		switch {
		case s == nil:
			return
		case s.Spec.Type == corev1.ServiceTypeExternalName:
			name = s.Spec.ExternalName
			continue
		case s.Spec.ClusterIP == corev1.ClusterIPNone:
			if all := published(o.Slices[key(s)]); len(all) > 0 {
				o.addPeer(Host{Address: all[0].address()}, l) // a client connects to the first
			}
		}
		return
	}
}

// lookUpAddress looks up what is at the target address of a connection.
func (o *Outside) lookUpAddress(c Client, q emulator.Query, l Lookup) {
	if _, err := netip.ParseAddr(q.Address); err != nil {
		return
	}
	if !IsLoopback(q.Address) {
		if o.lookUpService(Subject{Address: q.Address}, l) == nil {
			o.Nodes[q.Address] = l.Node(q.Address)
		}
	}
	if node, ok := o.nodeAt(c, q.Address); ok {
		if l.Silent(node) {
			o.Silent[node] = true
		}
		o.lookUpZones(o.lookUpService(Subject{NodePort: q.Port}, l), l, c.Node, node)
		o.OnNode[NodePort{node, q.Port}] = l.OnNode(NodePort{node, q.Port})
	}
	o.lookUpZones(o.Services[Subject{Address: q.Address}], l, c.Node)
	for _, client := range []Client{c.Opens(q), c.alone().Opens(q)} { // its affinity may have ended
		if w, known := o.way(client, q); known {
			for _, d := range w.To {
				o.addPeer(d.Host, l)
			}
		}
	}
}

// lookUpService looks up a Service, with its endpoints.
func (o *Outside) lookUpService(subject Subject, l Lookup) *corev1.Service {
	if s, known := o.Services[subject]; known || subject == (Subject{}) {
		return s
	}
	s := l.Service(subject)
	if o.Services[subject] = s; s != nil {
		o.Slices[key(s)] = l.Slices(key(s))
		if ip := s.Spec.ClusterIP; ip != "" && ip != corev1.ClusterIPNone {
			o.Services[Subject{Address: ip}] = s // where a client that asked for the name connects to
		}
	}
	return s
}

// lookUpZones looks up the zones of nodes that may forward a connection to a Service, if they
// matter there.
func (o *Outside) lookUpZones(s *corev1.Service, l Lookup, nodes ...string) {
	if s == nil || !zoned(o.Slices[key(s)]) {
		return
	}
	for _, node := range nodes {
		if node != "" {
			o.Zones[node] = l.Zone(node)
		}
	}
}

func (o *Outside) addPeer(h Host, l Lookup) {
	peer, known := l.Peer(h)
	if !known {
		return
	}
	if o.Peers[h] = peer; peer != nil && l.Silent(peer.Pod.Spec.NodeName) {
		o.Silent[peer.Pod.Spec.NodeName] = true
	}
}
