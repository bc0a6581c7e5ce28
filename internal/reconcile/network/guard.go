package network

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	apiendpoint "github.com/rowlock/rowlock/internal/reconcile/endpoint"
	"github.com/rowlock/rowlock/internal/reconcile/netpolicy"
)

// Sender is the Pod that opens a connection, with the addresses that it has now.
type Sender struct {
	Pod                  *corev1.Pod
	Address, NodeAddress string
}

// Passes reports whether the NetworkPolicies of both ends let a connection of the Pod that asks
// pass to another. The connection is judged as it arrives: by the other Pod's own port, and by the
// address that it appears to come from, which is a node's if that node has forwarded it under its
// own address.
func (o *Outside) Passes(from Sender, h Host, to *Peer, q emulator.Query) bool {
	there := netpolicy.Peer{Address: h.Address, Node: to.Pod.Spec.NodeName}
	if !to.Pod.Spec.HostNetwork {
		there.Pod, there.NamespaceLabels = to.Pod, to.Guard.NamespaceLabels
	}
	here := netpolicy.Peer{Address: from.Address, Node: from.Pod.Spec.NodeName}
	if !from.Pod.Spec.HostNetwork {
		here.Pod, here.NamespaceLabels = from.Pod, o.Guard.NamespaceLabels
	}
	if !q.Node && !o.leaves(there, q) {
		return false
	}
	if q.From != "" && q.From != from.Address {
		here = netpolicy.Peer{Address: q.From, Node: o.Nodes[q.From]}
		if q.From == from.NodeAddress {
			here.Node = from.Pod.Spec.NodeName
		}
	}
	return netpolicy.Enters(to.Guard.Policies, here, there, policyPort(q))
}

// MayAskNames reports whether the Pod's policies let it ask a name server: the one that the
// question names or, without one, the cluster's.
func (o *Outside) MayAskNames(q emulator.Query) bool {
	to := netpolicy.Peer{Address: q.Address}
	if q.Address == NameServer || q.Address == "" {
		to = o.nameServerPeer()
	}
	return o.leaves(to, q)
}

// MayAskAPI reports whether the Pod's policies let it ask the API server.
func (o *Outside) MayAskAPI(q emulator.Query) bool {
	return o.leaves(netpolicy.Peer{Address: apiendpoint.APIAddress}, q)
}

// leaves reports whether the Pod's policies let a connection pass to a peer.
func (o *Outside) leaves(to netpolicy.Peer, q emulator.Query) bool {
	return netpolicy.Leaves(o.Guard.Policies, to, policyPort(q))
}

// protocolICMP is the protocol of a ping, which policies cannot name.
const protocolICMP corev1.Protocol = "ICMP"

// policyPort is the port of a question as policies see it.
func policyPort(q emulator.Query) netpolicy.Port {
	switch {
	case q.Kind == emulator.QueryPing:
		return netpolicy.Port{Protocol: protocolICMP}
	case q.Kind == emulator.QueryDNS:
		return netpolicy.Port{Number: cmp.Or(q.Port, 53), Protocol: corev1.ProtocolUDP}
	}
	return netpolicy.Port{Number: q.Port, Protocol: ProtocolOf(q)}
}

// nameServerPeer is the cluster's name server as policies see it: a Pod with the labels that
// CoreDNS has.
func (o *Outside) nameServerPeer() netpolicy.Peer {
	ports := make([]corev1.ContainerPort, len(DNSService.Spec.Ports))
	for i, p := range DNSService.Spec.Ports {
		ports[i] = corev1.ContainerPort{Name: p.Name, ContainerPort: p.Port, Protocol: p.Protocol}
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: DNSService.Namespace, Name: "coredns", Labels: map[string]string{"k8s-app": "kube-dns"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "coredns", Ports: ports}}}}
	return netpolicy.Peer{Pod: pod, NamespaceLabels: o.SystemLabels, Address: NameServer}
}
