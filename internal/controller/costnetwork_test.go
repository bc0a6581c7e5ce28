package controller_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	servicekind "github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
)

// nodeAddress is the address of a node whose ports TestCost_OfANetwork queries.
const nodeAddress = "172.16.0.9"

// network adds a node with a Service and a Pod reached through its ports, policies for all Pods,
// and a number of unrelated Services, nodes, Pods with host ports and policies.
func (c *costWorld) network(beside int) {
	at := c.mirror.Revision()
	c.made = nil
	service := func(namespace, name string, port int32, address string) {
		s := &corev1.Service{ObjectMeta: meta(namespace, name), Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeNodePort, ClusterIP: address, ClusterIPs: []string{address}, Selector: map[string]string{"app": name}, ExternalIPs: []string{"192.0.2.1"}}}
		if s.Spec.Ports = []corev1.ServicePort{{Port: 80, NodePort: port}}; name != "reached" {
			s.Spec.ExternalIPs = nil
		}
		servicekind.Kind.Default(s)
		c.add(s)
	}
	node := func(name, address string) {
		c.add(&corev1.Node{ObjectMeta: meta("", name), Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address}}}})
	}
	policy := func(name string, selects map[string]string) {
		c.add(&networkingv1.NetworkPolicy{ObjectMeta: meta("default", name), Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: selects}, PolicyTypes: []networkingv1.PolicyType{"Egress"}, Egress: []networkingv1.NetworkPolicyEgressRule{{}}}})
	}
	service("default", "reached", 30080, "10.97.0.1")
	node("reached", nodeAddress)
	policy("for-all", nil)
	onPort := func(name, node string) {
		c.pod(meta("default", name), node, name, func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 8001, Protocol: corev1.ProtocolTCP}}
		})
	}
	onPort("on-port", "reached")
	for i := range beside {
		name := fmt.Sprintf("beside-%05d", i)
		service("beside", name, int32(30100+i), fmt.Sprintf("10.98.%d.%d", i>>8, i&255))
		node(name, fmt.Sprintf("172.17.%d.%d", i>>8, i&255))
		policy(name, map[string]string{"app": name})
		onPort(name, name)
	}
	for i, o := range c.made {
		o.Revision = at + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
}

// TestCost_OfANetwork: with many Services, nodes, ports and policies, a query costs only what it
// leads to.
//
//nolint:paralleltest // bodies are counted that the whole process decodes
func TestCost_OfANetwork(t *testing.T) {
	worlds := []*costWorld{newCostWorld(t, 10), newCostWorld(t, 10)}
	worlds[0].network(10)
	worlds[1].network(1000)
	for name, command := range map[string]string{
		"node-port": "wget -qO- http://" + nodeAddress + ":30080", "external": "wget -qO- http://192.0.2.1",
		"host-port": "wget -qO- http://" + nodeAddress + ":8001", "nobody": "wget -qO- http://" + nodeAddress + ":8002",
	} {
		costs := make([]cost, 2)
		for i, c := range worlds {
			look := c.asking(name, command)
			c.sync(c.named(names.Kubelet), look) // decodes what belongs to the Pod
			costs[i] = c.sync(c.named(names.Kubelet), look)
		}
		if diff := cmp.Diff(costs[0], costs[1]); diff != "" {
			t.Errorf("%s (-small +large):\n%s", name, diff)
		}
		t.Logf("%-10s %+v", name, costs[1])
	}
}
