package node

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/gather"
	"github.com/rowlock/rowlock/internal/engine"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/need"
	"github.com/rowlock/rowlock/internal/reconcile/netpolicy"
	"github.com/rowlock/rowlock/internal/reconcile/network"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// outside answers the queries of a Pod about the cluster. peer returns what is known about another
// Pod.
func outside(v mirror.View, needs need.Needs, peer func(*object.Version) (*network.Peer, bool)) *network.Outside {
	return network.Look(needs.Queries, needs.Client, network.Lookup{
		Service: func(s network.Subject) *corev1.Service { return serviceOf(v, s) },
		Node:    func(address string) string { return nodeAt(v, address) },
		OnNode:  func(at network.NodePort) []*corev1.Pod { return podsOnNode(v, at) },
		Zone:    func(node string) string { return zoneOf(v, node) },
		Slices: func(service string) []*discoveryv1.EndpointSlice {
			return gather.Typed[*discoveryv1.EndpointSlice](v, mirror.SlicesByService, service)
		},
		Named: func(address string) []*discoveryv1.EndpointSlice {
			return gather.Typed[*discoveryv1.EndpointSlice](v, mirror.SlicesByNamedAddress, address)
		},
		Peer: func(h network.Host) (*network.Peer, bool) {
			if o := podAt(v, h); o != nil {
				return peer(o)
			}
			return nil, true
		},
		Silent: func(node string) bool { return silent(v, node) },
	})
}

// guardOf returns what NetworkPolicies use about a Pod.
//
// Cost: the policies that select Pods by one of the Pod's labels, or all Pods of its namespace.
func guardOf(v mirror.View, pod *corev1.Pod) network.Guard {
	g := network.Guard{NamespaceLabels: labelsOf(v, pod.Namespace)}
	for _, value := range mirror.Selections(pod) {
		g.Policies = append(g.Policies, netpolicy.Selecting(pod, gather.Typed[*networkingv1.NetworkPolicy](v, mirror.PoliciesBySelection, value))...)
	}
	return g
}

// labelsOf returns the labels of a namespace.
func labelsOf(v mirror.View, namespace string) map[string]string {
	if o := v.Get(object.Key{Resource: "namespaces", Name: namespace}); o != nil {
		return o.Object().GetLabels()
	}
	return nil
}

// lost returns those of the Pods that no longer answer: they do not exist or have ended, or are on
// nodes that are out.
func lost(v mirror.View, pods []types.UID) (gone, cut map[types.UID]bool) {
	gone, cut = map[types.UID]bool{}, map[types.UID]bool{}
	for _, uid := range pods {
		if uid == plan.APIServer {
			continue
		}
		o := v.UID(uid)
		if o == nil {
			gone[uid] = true
			continue
		}
		pod := o.Object().(*corev1.Pod)
		gone[uid], cut[uid] = podstate.Terminal(pod), silent(v, pod.Spec.NodeName)
	}
	return gone, cut
}

// silent reports whether a node is out.
func silent(v mirror.View, node string) bool {
	o := v.Get(object.Key{Resource: "nodes", Name: node})
	return o != nil && outage.Silent(o.Object().(*corev1.Node))
}

// zoneOf returns the zone of a node; "" for none.
func zoneOf(v mirror.View, node string) string {
	if o := v.Get(object.Key{Resource: "nodes", Name: node}); o != nil {
		return o.Object().GetLabels()[corev1.LabelTopologyZone]
	}
	return ""
}

// serviceOf returns the Service that is named, or has the address or the port; nil for none.
func serviceOf(v mirror.View, s network.Subject) *corev1.Service {
	var found []*object.Version
	switch {
	case s.Address != "":
		if found = v.First(mirror.Reserved, servicekind.ClusterIPKey(s.Address), 1); len(found) == 0 {
			found = v.First(mirror.ServicesByAddress, s.Address, 1)
		}
	case s.NodePort != 0:
		found = v.First(mirror.Reserved, servicekind.NodePortKey(s.NodePort), 1)
	default:
		return gather.One[*corev1.Service](v, object.Key{Resource: servicekind.Kind.Resource(), Namespace: s.Namespace, Name: s.Name})
	}
	if len(found) == 0 || found[0].Object().GetLabels()[otherProxy] != "" {
		return nil
	}
	return found[0].Object().(*corev1.Service)
}

// otherProxy is the label of Services whose addresses are not served by Kubernetes' own proxy.
const otherProxy = "service.kubernetes.io/service-proxy-name"

// nodeAt returns the name of the node that has an address; "" for none. If several share it, it is
// the first.
func nodeAt(v mirror.View, address string) string {
	for _, o := range v.First(mirror.NodesByAddress, address, 1) {
		return o.Name
	}
	return ""
}

// mostOnNode bounds how many Pods of a node are tried for one of its ports.
const mostOnNode = 16

// podsOnNode returns the Pods on a node that may listen on one of its ports: those that take it as
// a host port, then those on the node's network, at most mostOnNode of each.
func podsOnNode(v mirror.View, at network.NodePort) (pods []*corev1.Pod) {
	for _, port := range []int{at.Port, 0} {
		for _, o := range v.First(mirror.PodsByHostPort, mirror.HostPort(at.Node, port), mostOnNode) {
			if pod := o.Object().(*corev1.Pod); !slices.Contains(pods, pod) {
				pods = append(pods, pod)
			}
		}
	}
	return pods
}

// peersOfPod returns the Pods that a Pod's queries lead to.
func (w controllers) peersOfPod(v mirror.View, o *object.Version, memory []byte) (peers []*object.Version) {
	pod := o.Object().(*corev1.Pod)
	needs := need.Of(pod, memory, w.Images)
	if len(needs.Queries) == 0 || pod.Spec.NodeName == "" {
		return nil
	}
	outside(v, needs, func(peer *object.Version) (*network.Peer, bool) {
		peers = append(peers, peer)
		return nil, false
	})
	return peers
}

// peer returns a Pod as needed by one that connects to it: with what was read of it, and the
// objects that it references. It is unknown if it was not read, because it was created later.
func peer(v mirror.View, o *object.Version, read map[types.UID]engine.Peer) (*network.Peer, bool) {
	was, known := read[o.UID]
	if !known {
		return nil, false
	}
	pod := o.Object().(*corev1.Pod)
	p := &network.Peer{Pod: pod, Memory: was.Memory, Files: was.Files, Claims: claimsOfPod(v, pod)}
	if node := v.Get(object.Key{Resource: "nodes", Name: pod.Spec.NodeName}); node != nil {
		p.Node = node.Object().(*corev1.Node)
	}
	p.Around = PodSurroundings(v, pod, need.ToConnect(pod, was.Memory))
	p.Guard = guardOf(v, pod)
	return p, true
}

// podAt returns the named Pod, provided it has the address, otherwise the Pod that has the address.
// It is nil if there is no such Pod, or it has ended.
func podAt(v mirror.View, h network.Host) (at *object.Version) {
	find := func(o *object.Version) {
		if pod := o.Object().(*corev1.Pod); at == nil && pod.Status.PodIP == h.Address && !podstate.Terminal(pod) {
			at = o
		}
	}
	if h.Pod == "" {
		v.EachIn(mirror.PodsByAddress, h.Address, find)
	} else if o := v.Get(object.Key{Resource: "pods", Namespace: h.Namespace, Name: h.Pod}); o != nil {
		find(o)
	}
	return at
}
