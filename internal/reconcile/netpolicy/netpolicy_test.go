package netpolicy

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// pod is a Pod in a namespace, both with the label of their names.
func pod(namespace, name, address string) Peer {
	return Peer{Address: address, Node: "node-1", NamespaceLabels: map[string]string{"name": namespace}, Pod: &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Ports: []corev1.ContainerPort{
			{Name: "http", ContainerPort: 80, Protocol: corev1.ProtocolTCP}, {Name: "dns", ContainerPort: 53, Protocol: corev1.ProtocolUDP}}}}},
	}}
}

func app(names ...string) *metav1.LabelSelector {
	if len(names) == 0 {
		return &metav1.LabelSelector{}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: names}}}
}

func namespace(name string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"name": name}}
}

func port(p intstr.IntOrString, change ...func(*networkingv1.NetworkPolicyPort)) []networkingv1.NetworkPolicyPort {
	out := networkingv1.NetworkPolicyPort{Protocol: new(corev1.ProtocolTCP), Port: &p}
	for _, c := range change {
		c(&out)
	}
	return []networkingv1.NetworkPolicyPort{out}
}

func udp(p *networkingv1.NetworkPolicyPort) { p.Protocol = new(corev1.ProtocolUDP) }

// TestPolicies judges connections by one rule of a policy in the namespace x, once for what comes
// in and once for what goes out.
func TestPolicies(t *testing.T) {
	t.Parallel()
	type peers = []networkingv1.NetworkPolicyPeer
	type ports = []networkingv1.NetworkPolicyPort
	other := pod("x", "a", "10.128.0.1")
	foreign := pod("y", "a", "10.128.1.1")
	node := Peer{Address: "172.16.0.2", Node: "node-2"}
	http, ping := Port{80, corev1.ProtocolTCP}, Port{0, "ICMP"}
	block := func(cidr string, except ...string) peers {
		return peers{{IPBlock: &networkingv1.IPBlock{CIDR: cidr, Except: except}}}
	}
	tests := []struct {
		name  string
		peers peers
		ports ports
		peer  Peer
		at    Port
		want  bool
	}{
		{"everybody", nil, nil, foreign, http, true},
		{"everybody, and a ping", nil, nil, node, ping, true},
		{"a Pod of the namespace", peers{{PodSelector: app("a")}}, nil, other, http, true},
		{"another Pod of it", peers{{PodSelector: app("b", "c")}}, nil, other, http, false},
		{"a Pod of that name elsewhere", peers{{PodSelector: app("a")}}, nil, foreign, http, false},
		{"all Pods of the namespace", peers{{PodSelector: app()}}, nil, other, http, true},
		{"all Pods of another namespace", peers{{NamespaceSelector: namespace("y")}}, nil, foreign, http, true},
		{"not those of its own then", peers{{NamespaceSelector: namespace("y")}}, nil, other, http, false},
		{"all Pods of all namespaces", peers{{NamespaceSelector: app()}}, nil, foreign, http, true},
		{"no node", peers{{NamespaceSelector: app()}}, nil, node, http, false},
		{"a Pod of another namespace", peers{{NamespaceSelector: namespace("y"), PodSelector: app("a")}}, nil, foreign, http, true},
		{"another Pod of another namespace", peers{{NamespaceSelector: namespace("y"), PodSelector: app("b")}}, nil, foreign, http, false},
		{"either of two", peers{{PodSelector: app("b")}, {NamespaceSelector: namespace("y")}}, nil, foreign, http, true},
		{"a block", block("10.128.0.0/16"), nil, foreign, http, true},
		{"out of it", block("10.128.0.0/24"), nil, foreign, http, false},
		{"excepted from it", block("10.0.0.0/8", "10.200.0.0/16", "10.128.1.0/24"), nil, foreign, http, false},
		{"a node in a block", block("172.16.0.0/12"), nil, node, http, true},
		{"an invalid block", block("x"), nil, node, http, false},
		{"a port", nil, port(intstr.FromInt32(80)), other, http, true},
		{"another port", nil, port(intstr.FromInt32(81)), other, http, false},
		{"of another protocol", nil, port(intstr.FromInt32(80), udp), other, http, false},
		{"a port is not that of a ping", nil, port(intstr.FromInt32(80)), other, ping, false},
		{"all ports of a protocol", nil, ports{{}}, other, http, true},
		{"all ports of another", nil, ports{{Protocol: new(corev1.ProtocolUDP)}}, other, http, false},
		{"a range", nil, port(intstr.FromInt32(79), func(p *networkingv1.NetworkPolicyPort) { p.EndPort = new(int32(80)) }), other, http, true},
		{"above a range", nil, port(intstr.FromInt32(78), func(p *networkingv1.NetworkPolicyPort) { p.EndPort = new(int32(79)) }), other, http, false},
		{"a named port", nil, port(intstr.FromString("http")), other, http, true},
		{"a name of another port", nil, port(intstr.FromString("http")), other, Port{81, corev1.ProtocolTCP}, false},
		{"a name for another protocol", nil, port(intstr.FromString("dns")), other, Port{53, corev1.ProtocolTCP}, false},
		{"a name for this one", nil, port(intstr.FromString("dns"), udp), other, Port{53, corev1.ProtocolUDP}, true},
		{"peer and port", peers{{PodSelector: app("a")}}, port(intstr.FromInt32(80)), other, http, true},
		{"peer, but not port", peers{{PodSelector: app("a")}}, port(intstr.FromInt32(81)), other, http, false},
	}
	server := pod("x", "server", "10.128.0.9")
	for _, tt := range tests {
		policy := func(s networkingv1.NetworkPolicySpec) []*networkingv1.NetworkPolicy {
			return []*networkingv1.NetworkPolicy{{ObjectMeta: metav1.ObjectMeta{Namespace: "x"}, Spec: s}}
		}
		in := policy(networkingv1.NetworkPolicySpec{PolicyTypes: []networkingv1.PolicyType{"Ingress"}, Ingress: []networkingv1.NetworkPolicyIngressRule{{From: tt.peers, Ports: tt.ports}}})
		if got := Enters(in, tt.peer, server, tt.at); got != tt.want {
			t.Errorf("in: %s: %v", tt.name, got)
		}
		out := policy(networkingv1.NetworkPolicySpec{PolicyTypes: []networkingv1.PolicyType{"Egress"}, Egress: []networkingv1.NetworkPolicyEgressRule{{To: tt.peers, Ports: tt.ports}}})
		to := tt.peer
		if got, want := Leaves(out, to, tt.at), tt.want && (to.Pod != nil || !named(tt.ports)); got != want {
			t.Errorf("out: %s: %v", tt.name, got)
		}
		if !Leaves(in, tt.peer, tt.at) || !Enters(out, tt.peer, server, tt.at) {
			t.Errorf("%s: a policy of one direction is about the other", tt.name)
		}
	}
}

func named(ports []networkingv1.NetworkPolicyPort) bool {
	return len(ports) > 0 && ports[0].Port != nil && ports[0].Port.Type == intstr.String
}

// TestIsolation: a Pod that a policy selects lets pass what any policy allows, and nothing else.
func TestIsolation(t *testing.T) {
	t.Parallel()
	both := []networkingv1.PolicyType{"Ingress", "Egress"}
	deny := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "x"}, Spec: networkingv1.NetworkPolicySpec{PolicyTypes: both}}
	allow := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: "x"}, Spec: networkingv1.NetworkPolicySpec{PolicyTypes: both,
		PodSelector: *app("server"), Ingress: []networkingv1.NetworkPolicyIngressRule{{}}, Egress: []networkingv1.NetworkPolicyEgressRule{{}}}}
	foreign := deny.DeepCopy()
	foreign.Namespace = "y"
	invalid := deny.DeepCopy()
	invalid.Spec.PodSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "none"}}
	all := []*networkingv1.NetworkPolicy{deny, allow, foreign, invalid}
	server, client := pod("x", "server", "10.128.0.9"), pod("x", "client", "10.128.0.1")
	onHost := pod("x", "server", "172.16.0.1")
	onHost.Pod.Spec.HostNetwork = true
	http := Port{80, corev1.ProtocolTCP}
	for _, tt := range []struct {
		name     string
		at       Peer
		policies []*networkingv1.NetworkPolicy
		selected int
		passes   bool
	}{
		{"none", server, nil, 0, true},
		{"one that denies all", server, all[:1], 1, false},
		{"two, of which one allows", server, all, 2, true},
		{"the other one does not select it", client, all, 1, false},
		{"of other namespaces, and none that is valid", server, all[2:], 0, true},
		{"with its node's network", onHost, all, 0, true},
	} {
		got := Selecting(tt.at.Pod, tt.policies)
		if len(got) != tt.selected || Enters(got, client, tt.at, http) != tt.passes || Leaves(got, client, http) != tt.passes {
			t.Errorf("%s: %d select it, in %v, out %v", tt.name, len(got), Enters(got, client, tt.at, http), Leaves(got, client, http))
		}
	}
	if deny := all[:1]; !Enters(deny, Peer{Address: "172.16.0.1", Node: "node-1"}, server, http) || Enters(deny, Peer{Address: "172.16.0.2", Node: "node-2"}, server, http) {
		t.Error("its own node must be let in, and no other")
	}
}
