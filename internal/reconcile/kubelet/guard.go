package kubelet

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/netpolicy"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// passes reports whether the NetworkPolicies of both ends let a connection to a Pod pass. The
// connection is judged as it arrives: by the Pod's own port, and by the address that it appears to
// come from, which is a node's if that node has forwarded it under its own address.
func (k *sync) passes(h network.Host, to *network.Peer, q emulator.Query) bool {
	there := netpolicy.Peer{Address: h.Address, Node: to.Pod.Spec.NodeName}
	if !to.Pod.Spec.HostNetwork {
		there.Pod, there.NamespaceLabels = to.Pod, to.Guard.NamespaceLabels
	}
	here := netpolicy.Peer{Address: k.status.PodIP, Node: k.Pod.Spec.NodeName}
	if !k.Pod.Spec.HostNetwork {
		here.Pod, here.NamespaceLabels = k.Pod, k.Outside.Guard.NamespaceLabels
	}
	if !q.Node && !netpolicy.Leaves(k.Outside.Guard.Policies, there, policyPort(q)) {
		return false
	}
	if q.From != "" && q.From != k.status.PodIP {
		here = netpolicy.Peer{Address: q.From, Node: k.Outside.Nodes[q.From]}
		if q.From == k.status.HostIP {
			here.Node = k.Pod.Spec.NodeName
		}
	}
	return netpolicy.Enters(to.Guard.Policies, here, there, policyPort(q))
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
	return netpolicy.Port{Number: q.Port, Protocol: network.ProtocolOf(q)}
}

// nameServerPeer is the cluster's name server as policies see it: a Pod with the labels that
// CoreDNS has.
func (k *sync) nameServerPeer() netpolicy.Peer {
	ports := make([]corev1.ContainerPort, len(network.DNSService.Spec.Ports))
	for i, p := range network.DNSService.Spec.Ports {
		ports[i] = corev1.ContainerPort{Name: p.Name, ContainerPort: p.Port, Protocol: p.Protocol}
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: network.DNSService.Namespace, Name: "coredns", Labels: map[string]string{"k8s-app": "kube-dns"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "coredns", Ports: ports}}}}
	return netpolicy.Peer{Pod: pod, NamespaceLabels: k.Outside.SystemLabels, Address: network.NameServer}
}

// mayAskNames reports whether the Pod's policies let it ask a name server.
func (k *sync) mayAskNames(q emulator.Query) bool {
	to := netpolicy.Peer{Address: q.Address}
	if q.Address == network.NameServer || q.Address == "" {
		to = k.nameServerPeer()
	}
	return netpolicy.Leaves(k.Outside.Guard.Policies, to, policyPort(q))
}
