package network

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
	"github.com/rowlock/rowlock/internal/reconcile/volumestate"
)

// Outside is what the processes of a Pod can find out about the cluster at the time of a sync: its
// names and addresses, and what is behind them. A question about something that was not looked up
// waits for the next sync, which looks it up.
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

	// Silent are the names of the nodes that are down, among those of the peers and those that were
	// looked up: nothing answers there.
	Silent map[string]bool
}

// Peer is a Pod that another one connects to, with everything that its answers depend on. A field
// other than Pod and Node is zero if the Pod has no such thing.
type Peer struct {
	Pod  *corev1.Pod
	Node *corev1.Node // its own; nil if it is gone

	// Memory is what its last plan stored, as in Snapshot. Without it the answers follow from its
	// spec, its status and the fields below: see need.ToConnect.
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

func key(s *corev1.Service) string { return s.Namespace + "/" + s.Name }
