// Package netpolicy judges connections by NetworkPolicies. All its functions are pure.
package netpolicy

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Peer is an end of a connection.
type Peer struct {
	// Pod is the Pod that has the address; nil for a node, for a Pod that uses its node's network,
	// and for anything outside the cluster.
	Pod *corev1.Pod

	// NamespaceLabels are the labels of the Pod's namespace.
	NamespaceLabels map[string]string

	// Address is compared with IP blocks. Node is where the peer runs, or the peer itself if it is
	// a node. "" if unknown.
	Address string
	Node    string
}

// Port is the target port of a connection.
type Port struct {
	Number   int
	Protocol corev1.Protocol // one that policies cannot name, such as that of a ping, passes only if a rule names no ports
}

// Selecting are the policies in the Pod's namespace that select it; nil for a Pod that uses its
// node's network, to which policies do not apply.
func Selecting(pod *corev1.Pod, policies []*networkingv1.NetworkPolicy) (selecting []*networkingv1.NetworkPolicy) {
	if pod.Spec.HostNetwork {
		return nil
	}
	for _, np := range policies {
		if np.Namespace == pod.Namespace && selects(&np.Spec.PodSelector, pod.Labels) {
			selecting = append(selecting, np)
		}
	}
	return selecting
}

// Leaves reports whether the policies that select a Pod let it connect to another peer: one of
// their egress rules allows it, or none of them applies to egress.
func Leaves(policies []*networkingv1.NetworkPolicy, to Peer, port Port) bool {
	isolated := false
	for _, np := range policies {
		if !slices.Contains(np.Spec.PolicyTypes, networkingv1.PolicyTypeEgress) {
			continue
		}
		isolated = true
		for i := range np.Spec.Egress {
			if r := &np.Spec.Egress[i]; matchesPeer(r.To, np.Namespace, to) && matchesPort(r.Ports, to, port) {
				return true
			}
		}
	}
	return !isolated
}

// Enters reports whether the policies that select a Pod let another peer connect to it: one of
// their ingress rules allows it, or none of them applies to ingress. The Pod's own node may always
// connect, because its kubelet must.
func Enters(policies []*networkingv1.NetworkPolicy, from, to Peer, port Port) bool {
	isolated := false
	for _, np := range policies {
		if !slices.Contains(np.Spec.PolicyTypes, networkingv1.PolicyTypeIngress) {
			continue
		}
		isolated = true
		for i := range np.Spec.Ingress {
			if r := &np.Spec.Ingress[i]; matchesPeer(r.From, np.Namespace, from) && matchesPort(r.Ports, to, port) {
				return true
			}
		}
	}
	return !isolated || from.Pod == nil && from.Node != "" && from.Node == to.Node
}

// matchesPeer reports whether a rule of a policy in a namespace matches a peer. A rule without
// peers matches all.
func matchesPeer(peers []networkingv1.NetworkPolicyPeer, namespace string, p Peer) bool {
	return len(peers) == 0 || slices.ContainsFunc(peers, func(rule networkingv1.NetworkPolicyPeer) bool {
		switch {
		case rule.IPBlock != nil:
			return inBlock(rule.IPBlock, p.Address)
		case p.Pod == nil:
			return false
		case rule.NamespaceSelector == nil && p.Pod.Namespace != namespace:
			return false
		case rule.NamespaceSelector != nil && !selects(rule.NamespaceSelector, p.NamespaceLabels):
			return false
		}
		return rule.PodSelector == nil || selects(rule.PodSelector, p.Pod.Labels)
	})
}

// selects reports whether a selector selects labels. An invalid selector, which an old object may
// have, selects nothing.
func selects(s *metav1.LabelSelector, of map[string]string) bool {
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(of))
}

// inBlock reports whether an address is in a block, and not in one of its exceptions.
func inBlock(b *networkingv1.IPBlock, address string) bool {
	ip, err := netip.ParseAddr(address)
	in := func(cidr string) bool {
		p, err := netip.ParsePrefix(cidr)
		return err == nil && p.Masked().Contains(ip)
	}
	return err == nil && in(b.CIDR) && !slices.ContainsFunc(b.Except, in)
}

// matchesPort reports whether a rule matches a port of a peer. A rule without ports matches all.
func matchesPort(ports []networkingv1.NetworkPolicyPort, to Peer, port Port) bool {
	return len(ports) == 0 || slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool {
		protocol := corev1.ProtocolTCP
		if p.Protocol != nil {
			protocol = *p.Protocol
		}
		switch {
		case protocol != port.Protocol:
			return false
		case p.Port == nil:
			return true
		case p.Port.Type == intstr.String:
			return isNamed(to.Pod, p.Port.StrVal, port)
		case p.EndPort != nil:
			return int(p.Port.IntVal) <= port.Number && port.Number <= int(*p.EndPort)
		}
		return int(p.Port.IntVal) == port.Number
	})
}

// isNamed reports whether the port has that name in the Pod.
func isNamed(pod *corev1.Pod, name string, port Port) bool {
	if pod == nil {
		return false
	}
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			for _, p := range list[i].Ports {
				protocol := p.Protocol
				if protocol == "" {
					protocol = corev1.ProtocolTCP
				}
				if p.Name == name && int(p.ContainerPort) == port.Number && protocol == port.Protocol {
					return true
				}
			}
		}
	}
	return false
}
