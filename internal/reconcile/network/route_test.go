package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// The nodes of TestWay, and the addresses of a Service from outside.
const (
	nodeOne, nodeTwo         = "172.16.0.1", "172.16.0.2"
	externalIP, balancerIP   = "192.0.2.1", "192.0.2.2"
	nodePort, localPort      = 30080, 30081
	healthPort, emptyPort    = 30082, 30083
	podAddress, otherAddress = "10.128.0.1", "10.128.0.2"
)

// onNode is a Pod that may take connections to its node.
func onNode(name, address string, change func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}},
		Status:     corev1.PodStatus{PodIP: address},
	}
	change(p)
	return p
}

func hostPortOf(port int32, hostIP string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: port, HostIP: hostIP, Protocol: corev1.ProtocolTCP}}
	}
}

func usesHost(p *corev1.Pod) { p.Spec.HostNetwork = true }

// wayOutside is a cluster of two nodes: web-1 and web-2 serve on one each.
func wayOutside() *Outside {
	serving := func(name, ip string, change func(*corev1.Service)) *corev1.Service {
		return service("default", name, ip, func(s *corev1.Service) {
			s.Spec.Type = corev1.ServiceTypeNodePort
			change(s)
		})
	}
	web := serving("web", "10.96.0.20", func(s *corev1.Service) {
		s.Spec.Ports[0].NodePort, s.Spec.ExternalIPs = nodePort, []string{externalIP}
		s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: balancerIP}}
		s.Spec.LoadBalancerSourceRanges = []string{podAddress + "/32"}
	})
	local := serving("local", "10.96.0.21", func(s *corev1.Service) {
		s.Spec.Type, s.Spec.HealthCheckNodePort = corev1.ServiceTypeLoadBalancer, healthPort
		s.Spec.Ports[0].NodePort, s.Spec.ExternalTrafficPolicy = localPort, corev1.ServiceExternalTrafficPolicyLocal
		s.Spec.InternalTrafficPolicy = new(corev1.ServiceInternalTrafficPolicyLocal)
	})
	empty := serving("empty", "10.96.0.22", func(s *corev1.Service) { s.Spec.Ports[0].NodePort = emptyPort })
	two := sliceOf("web-2")
	two.Endpoints[0].NodeName = new("node-2")
	o := &Outside{
		Services: map[Subject]*corev1.Service{
			{Address: "10.96.0.20"}: web, {Address: externalIP}: web, {Address: balancerIP}: web, {NodePort: nodePort}: web,
			{Address: "10.96.0.21"}: local, {NodePort: localPort}: local, {NodePort: healthPort}: local, {NodePort: emptyPort}: empty,
			{Address: nodeOne}: nil, {Address: nodeTwo}: nil, {Address: otherAddress}: nil,
		},
		Slices: map[string][]*discoveryv1.EndpointSlice{"default/web": {two}, "default/local": {two}, "default/empty": nil},
		Nodes:  map[string]string{nodeOne: "node-1", nodeTwo: "node-2"},
		OnNode: map[NodePort][]*corev1.Pod{},
	}
	pods := []*corev1.Pod{
		onNode("anywhere", "10.128.0.11", hostPortOf(8001, "")),
		onNode("loopback", "10.128.0.12", hostPortOf(8002, "127.0.0.1")),
		onNode("address", "10.128.0.13", hostPortOf(8002, nodeOne)),
		onNode("network", nodeOne, usesHost),
		onNode("declares", nodeOne, func(p *corev1.Pod) {
			hostPortOf(8003, "")(p)
			usesHost(p)
		}),
	}
	for _, port := range []int{80, 8001, 8002, 8003, nodePort, localPort, healthPort, emptyPort} {
		o.OnNode[NodePort{"node-1", port}], o.OnNode[NodePort{"node-2", port}] = pods, nil
	}
	return o
}

// TestWay connects to the addresses of Services and nodes.
func TestWay(t *testing.T) {
	t.Parallel()
	pod := Client{UID: "client", Address: podAddress, Node: "node-1", NodeAddress: nodeOne}
	host := Client{UID: "host", Address: nodeOne, Node: "node-1", NodeAddress: nodeOne, OnHost: true}
	web := []string{"web-2"}
	tests := []struct {
		name    string
		client  Client
		address string
		port    int
		to      []string
		outcome kernel.Outcome
		from    string
	}{
		{"the port of a node", pod, nodeOne, nodePort, web, "", nodeOne},
		{"of another node, where nobody of the Service is", host, nodeTwo, nodePort, web, "", nodeTwo},
		{"on localhost", host, "127.0.0.1", nodePort, web, "", nodeOne},
		{"local traffic only, and the node has a Pod", host, nodeTwo, localPort, web, "", ""},
		{"local traffic only, and the node has none, from that node", host, nodeOne, localPort, web, "", ""},
		{"the same from a Pod", pod, nodeOne, localPort, web, "", ""},
		{"the same from another node", Client{Address: nodeTwo, Node: "node-2", OnHost: true}, nodeOne, localPort, nil, kernel.OutcomeTimeout, ""},
		{"and to that from a Pod", Client{UID: "pod", Address: "10.244.1.7", Node: "node-2", NodeAddress: nodeTwo}, nodeOne, localPort, nil, kernel.OutcomeTimeout, ""},
		{"inside, local traffic only", pod, "10.96.0.21", 8080, nil, kernel.OutcomeTimeout, ""},
		{"inside, local traffic only, on the right node", Client{Node: "node-2"}, "10.96.0.21", 8080, web, "", ""},
		{"a Service without endpoints", pod, nodeOne, emptyPort, nil, kernel.OutcomeRefused, ""},
		{"an external address", pod, externalIP, 8080, web, "", nodeOne},
		{"another port of it", pod, externalIP, 81, nil, kernel.OutcomeTimeout, ""},
		{"a load balancer", pod, balancerIP, 8080, web, "", nodeOne},
		{"a load balancer that takes no connections from there", host, balancerIP, 8080, nil, kernel.OutcomeTimeout, ""},
		{"a host port", pod, nodeOne, 8001, []string{"anywhere"}, "", ""},
		{"of another node", pod, nodeTwo, 8001, nil, kernel.OutcomeRefused, ""},
		{"of an address", pod, nodeOne, 8002, []string{"address"}, "", ""},
		{"of localhost", host, "127.0.0.1", 8002, []string{"loopback"}, "", ""},
		{"one that a Pod with the node's network declares", pod, nodeOne, 8003, []string{"declares", "network"}, "", ""},
		{"none of these: whoever has the node's network", pod, nodeOne, 80, []string{"network", "declares"}, "", ""},
		{"a Pod", pod, otherAddress, 80, []string{""}, "", ""},
	}
	for _, tt := range tests {
		w, known := wayOutside().way(tt.client, kernel.Query{Kind: kernel.QueryTCP, Address: tt.address, Port: tt.port})
		var to []string
		for _, d := range w.To {
			to = append(to, d.Host.Pod)
		}
		if diff := cmp.Diff(tt.to, to); diff != "" || !known || w.Outcome != tt.outcome || w.From != tt.from {
			t.Errorf("%s: known %v, outcome %q, from %q (-want +got):\n%s", tt.name, known, w.Outcome, w.From, diff)
		}
	}
}

// TestWay_HealthCheck asks nodes whether they have a ready Pod of a Service.
func TestWay_HealthCheck(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]int{nodeOne: 503, nodeTwo: 200} {
		w, known := wayOutside().way(Client{}, kernel.Query{Kind: kernel.QueryHTTP, Address: address, Port: healthPort})
		if !known || w.Own == nil || w.Own.Status != want {
			t.Errorf("%s: known %v, answer %+v, want %d", address, known, w.Own, want)
		}
	}
	w, _ := wayOutside().way(Client{}, kernel.Query{Kind: kernel.QueryPing, Address: nodeTwo, Port: 80})
	if w.Own == nil || w.Own.Outcome != kernel.OutcomeOK {
		t.Errorf("a node answers a ping with %+v", w)
	}
	silent := wayOutside()
	silent.Silent = map[string]bool{"node-2": true}
	if w, _ := silent.way(Client{}, kernel.Query{Kind: kernel.QueryHTTP, Address: nodeTwo, Port: healthPort}); w.Outcome != kernel.OutcomeTimeout {
		t.Errorf("a node that is out answers %+v", w)
	}
}
