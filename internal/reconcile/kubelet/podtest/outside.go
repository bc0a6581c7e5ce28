package podtest

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/endpointslice"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/namefile"
	"github.com/rowlock/rowlock/internal/reconcile/kubernetesservice"
	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// Callee is a Pod that has run for a minute, at 10.244.0.9.
func Callee(t *testing.T, pod *corev1.Pod) *network.Peer {
	t.Helper()
	pod.Name, pod.UID = "callee", "callee"
	w := &World{T: t, Now: Noon, Pod: pod}
	w.Live(time.Minute)
	w.Pod.Status.PodIP, w.Pod.Status.PodIPs = "10.244.0.9", []corev1.PodIP{{IP: "10.244.0.9"}}
	return &network.Peer{Pod: w.Pod, Node: Node(), Memory: w.Memory}
}

// Service selects the label app=web, and forwards its port 8080 to port 80.
func Service(namespace, name, ip string, change func(*corev1.Service)) *corev1.Service {
	s := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: corev1.ServiceSpec{
			ClusterIP: ip, ClusterIPs: []string{ip}, IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector: map[string]string{"app": "web"},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 8080, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(80)}},
		},
	}
	if change != nil {
		change(s)
	}
	return s
}

// LookOutside looks at Services and Pods, with the slices that the endpoints' controller makes of
// them.
func LookOutside(queries []emulator.Query, services []*corev1.Service, peers []*network.Peer, silent map[string]bool) *network.Outside {
	slicesOf := func(name string) (slices []*discoveryv1.EndpointSlice) {
		if name == "default/kubernetes" {
			return []*discoveryv1.EndpointSlice{kubernetesservice.EndpointSlice()}
		}
		for _, s := range services {
			if s.Namespace+"/"+s.Name != name {
				continue
			}
			snapshot := endpointslice.Snapshot{Service: s, Zones: map[string]string{"node-1": "", "node-2": ""}}
			for _, peer := range peers {
				if pod := peer.Pod; pod.Namespace == s.Namespace && labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(pod.Labels)) {
					snapshot.Pods = append(snapshot.Pods, pod)
				}
			}
			for _, c := range endpointslice.Reconcile(snapshot).Creates {
				slices = append(slices, c.Object.(*discoveryv1.EndpointSlice))
			}
		}
		return slices
	}
	return network.Look(queries, network.ClientOf(Bound(Nginx())), network.Lookup{
		Service: ServiceOf(services...),
		Slices:  slicesOf,
		Named:   func(address string) []*discoveryv1.EndpointSlice { return namedSlices(address, services, slicesOf) },
		Node: func(address string) string {
			if address == namefile.NodeAddress(Node()) {
				return Node().Name
			}
			return ""
		},
		OnNode: func(at network.NodePort) (pods []*corev1.Pod) {
			for _, peer := range peers {
				if pod := peer.Pod; pod.Spec.NodeName == at.Node && (pod.Spec.HostNetwork || declares(pod, at.Port)) {
					pods = append(pods, pod)
				}
			}
			return pods
		},
		Peer: func(h network.Host) (*network.Peer, bool) {
			for _, peer := range peers {
				if pod := peer.Pod; pod.Status.PodIP == h.Address && (h.Pod == "" || pod.Namespace == h.Namespace && pod.Name == h.Pod) {
					return peer, true
				}
			}
			return nil, true
		},
		Zone:   func(string) string { return "" },
		Silent: func(node string) bool { return silent[node] },
	})
}

// declares reports whether a Pod has a port of its node.
func declares(pod *corev1.Pod, port int) bool {
	return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return int(p.HostPort) == port })
	})
}

// namedSlices are those of Services that are not ExternalNames that have a hostname for an address.
func namedSlices(address string, services []*corev1.Service, slicesOf func(string) []*discoveryv1.EndpointSlice) (found []*discoveryv1.EndpointSlice) {
	for _, s := range services {
		for _, slice := range slicesOf(s.Namespace + "/" + s.Name) {
			if slices.ContainsFunc(slice.Endpoints, func(e discoveryv1.Endpoint) bool { return e.Hostname != nil && e.Addresses[0] == address }) {
				found = append(found, slice)
			}
		}
	}
	return found
}

// ServiceOf finds Services by name and by address.
func ServiceOf(services ...*corev1.Service) func(network.Subject) *corev1.Service {
	return func(subject network.Subject) *corev1.Service {
		for _, s := range services {
			for _, p := range s.Spec.Ports {
				if subject.NodePort != 0 && subject.NodePort == int(p.NodePort) {
					return s
				}
			}
			if subject.Address != "" && s.Spec.ClusterIP == subject.Address || subject == (network.Subject{Namespace: s.Namespace, Name: s.Name}) {
				return s
			}
		}
		return nil
	}
}

// PeersOf are Pods without memories that refer to nothing.
func PeersOf(pods ...*corev1.Pod) (peers []*network.Peer) {
	for _, pod := range pods {
		peers = append(peers, &network.Peer{Pod: pod, Node: Node()})
	}
	return peers
}
