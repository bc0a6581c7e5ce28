package network

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Outside is what the processes of a Pod can find out about the cluster at the time of a sync: its
// names, and what is behind them. A question about something that was not looked up waits for the
// next sync, which gets it as a query.
type Outside struct {
	// Services are those that were looked up, by their names, their addresses and their ports on
	// nodes; nil if none exists.
	Services map[Subject]*corev1.Service

	// Nodes are the names of the nodes with the addresses that were looked up; "" if no node has
	// the address. OnNode are the Pods that may accept connections to a port of a node: see Lookup.
	Nodes  map[string]string
	OnNode map[NodePort][]*corev1.Pod

	// Zones are the zones of the nodes that forward connections to Services with endpoints for
	// zones; "" if a node has none.
	Zones map[string]string

	// Slices are the EndpointSlices of the Services that were looked up, by namespace and name
	// joined by a slash.
	Slices map[string][]*discoveryv1.EndpointSlice

	// Named are the EndpointSlices that have a name for an address, by address.
	Named map[string][]*discoveryv1.EndpointSlice

	// Peers are the Pods at the hosts that were looked up; nil if none exists.
	Peers map[Host]*Peer

	// Guard is what NetworkPolicies need to know about the Pod itself; SystemLabels are the labels
	// of the namespace of the cluster's name server.
	Guard        Guard
	SystemLabels map[string]string

	// Gone are those of the called Pods that will not answer.
	Gone map[types.UID]bool

	// Cut are those of the called Pods whose nodes are down.
	Cut map[types.UID]bool

	// Silent are the names of the peers' nodes that are down: nothing answers there.
	Silent map[string]bool
}

// Peer is a Pod that another one connects to, with everything that its answers depend on. A field
// other than Pod and Node is zero if the Pod has no such thing.
type Peer struct {
	Pod  *corev1.Pod
	Node *corev1.Node // its own; nil if it is gone

	// Memory is what its last plan stored, as in Snapshot. Without it the answers follow from its
	// spec, its status and the fields below: see NeededToConnect.
	Memory []byte
	Around podsetup.Surroundings
	Claims map[string]volumestate.Mount
	Files  []plan.File

	Guard Guard
}

// Guard is what NetworkPolicies need to know about a Pod: the policies that select it, and the
// labels of its namespace. Without policies everything passes.
type Guard struct {
	Policies        []*networkingv1.NetworkPolicy
	NamespaceLabels map[string]string
}

// Host is the target of a connection: an address and, if an endpoint names it, the Pod that has the
// address.
type Host struct{ Address, Namespace, Pod string }

// Subject is what a question may be about: a Service by its namespace and name, by an address, or
// by its port on nodes. The zero Subject means no Service.
type Subject struct {
	Namespace, Name, Address string
	NodePort                 int
}

// NodePort is a port of a node.
type NodePort struct {
	Node string
	Port int
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

func (o *Outside) addPeer(h Host, l Lookup) {
	peer, known := l.Peer(h)
	if !known {
		return
	}
	if o.Peers[h] = peer; peer != nil && l.Silent(peer.Pod.Spec.NodeName) {
		o.Silent[peer.Pod.Spec.NodeName] = true
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

func key(s *corev1.Service) string { return s.Namespace + "/" + s.Name }

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

// subjectOf is the Service that a name may refer to, and the one that the next question may refer
// to if no Service has that name: the resolver of a Pod asks for other.db.web.svc.cluster.local
// first, and then for other.db.svc.cluster.local.
func subjectOf(name string) (subject, next Subject) {
	var host []string
	if subject.Name, subject.Namespace, host = serviceIn(name); len(host) > 0 {
		next = Subject{Namespace: subject.Name, Name: host[len(host)-1]}
	}
	return subject, next
}

// service is the Service that a name refers to; nil if none exists. It is unknown if it was not
// looked up.
func (o *Outside) service(name string) (s *corev1.Service, known bool) {
	subject, _ := subjectOf(name)
	if subject == (Subject{}) {
		return nil, true
	}
	if s, known = o.Services[subject]; s == nil && subject.Name == DNSService.Name && subject.Namespace == DNSService.Namespace {
		return DNSService, true
	}
	return s, known
}

// IsNameServer reports whether a name query goes to the name server of the cluster, for which the
// address may be empty, or to that of the nodes.
func IsNameServer(address string) bool {
	return address == "" || address == NameServer || address == NodeNameServer
}
