package scheduler

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Crowded says whether a node's kubelet has to look closer before it takes a Pod that is counted in there: the Pods on it ask for more
// than it has, or a port is wanted twice. It costs the same however many Pods there are.
func (c *Cluster) Crowded(pod *corev1.Pod) bool {
	n := c.nodes[pod.Spec.NodeName]
	if n == nil || n.Object == nil {
		return false
	}
	if n.Pods > n.MaxPods || n.Used.MilliCPU > n.Allocatable.MilliCPU || n.Used.MemoryBytes > n.Allocatable.MemoryBytes ||
		n.Used.EphemeralBytes > n.Allocatable.EphemeralBytes {
		return true
	}
	for name, used := range n.Used.Scalar {
		if used > n.Allocatable.Scalar[name] {
			return true
		}
	}
	return slices.ContainsFunc(hostPorts(pod), func(p HostPort) bool {
		wanted := 0
		for _, o := range n.Ports {
			if p.conflicts(o) {
				wanted++
			}
		}
		return wanted > 1
	})
}

// Kubelet judges, one by one, the Pods that are bound to a node, perhaps not by the scheduler.
type Kubelet struct{ node Node }

// NewKubelet is the kubelet of a node without Pods.
func NewKubelet(node *corev1.Node) *Kubelet { return &Kubelet{NewNode(node)} }

// Kubelet is that of a node with the Pods that it has taken. It costs as much as these have ports of the node.
func (c *Cluster) Kubelet(node *corev1.Node) *Kubelet {
	n := c.nodes[node.Name]
	if n == nil || n.Object == nil {
		return NewKubelet(node)
	}
	k := &Kubelet{*n}
	k.node.Used, k.node.Pods = n.Used.plus(n.Fresh.Used, -1), n.Pods-n.Fresh.Pods
	k.node.Ports = without(n.Ports, n.Fresh.Ports)
	return k
}

// Admit takes a Pod, or turns it down: with a reason, which is empty otherwise, and in so many words. Extended resources that
// the node does not have are nothing to it.
//
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go, Admit and generalFilter.
// Differs: critical Pods do not push out others; taints are left to the eviction.
func (k *Kubelet) Admit(pod *corev1.Pod) (reason, message string) {
	if reason, message = k.judge(pod); reason == "" {
		k.node.add(Requests(pod), hostPorts(pod))
	}
	return reason, message
}

// AdmitAfter admits or turns down a Pod when it has done so with others that came before, whatever becomes of those.
func (k *Kubelet) AdmitAfter(others []*corev1.Pod, pod *corev1.Pod) (reason, message string) {
	for _, o := range others {
		k.Admit(o)
	}
	return k.Admit(pod)
}

// Resize says why a Pod's node has no room for what the Pod asks for, beside what it has given to others; the reason is empty where it
// has. It costs the same however many Pods there are.
//
// Source: kubernetes v1.36 pkg/kubelet/allocation/allocation_manager.go, canAdmitPod.
func (c *Cluster) Resize(pod *corev1.Pod) (reason, message string) {
	n := c.nodes[pod.Spec.NodeName]
	if n == nil || n.Object == nil {
		return "", ""
	}
	k := Kubelet{*n}
	k.node.Used = k.node.Used.plus(k.node.Asked, -1)
	if p := n.pods[pod.UID]; p != nil {
		k.node.remove(p.request.plus(p.asked, -1), p.ports)
	}
	return k.judge(onlySpec(pod))
}

// onlySpec is a copy of a Pod, with parts in common, that asks for what its spec does.
func onlySpec(pod *corev1.Pod) *corev1.Pod {
	next := *pod
	next.Status = corev1.PodStatus{}
	return &next
}

func (k *Kubelet) judge(pod *corev1.Pod) (reason, message string) {
	n := &k.node
	want := Requests(pod)
	short := func(want, used, has int64, name corev1.ResourceName) bool {
		if want > 0 && want > has-used {
			reason = "OutOf" + string(name)
			message = fmt.Sprintf("Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d", name, want, used, has)
			return true
		}
		return false
	}
	if short(1, n.Pods, n.MaxPods, corev1.ResourcePods) ||
		short(want.MilliCPU, n.Used.MilliCPU, n.Allocatable.MilliCPU, corev1.ResourceCPU) ||
		short(want.MemoryBytes, n.Used.MemoryBytes, n.Allocatable.MemoryBytes, corev1.ResourceMemory) ||
		short(want.EphemeralBytes, n.Used.EphemeralBytes, n.Allocatable.EphemeralBytes, corev1.ResourceEphemeralStorage) {
		return reason, message
	}
	for _, name := range slices.Sorted(maps.Keys(want.Scalar)) {
		if has, known := n.Allocatable.Scalar[name]; known && short(want.Scalar[name], n.Used.Scalar[name], has, name) {
			return reason, message
		}
	}
	c := &class{pod: pod, ports: hostPorts(pod)}
	c.demandsOfNodes(pod)
	if r := checkAffinity(c, n); len(r.reasons) > 0 {
		return "NodeAffinity", "Predicate NodeAffinity failed: " + r.reasons[0]
	}
	if r := checkPorts(c, n); len(r.reasons) > 0 {
		return "NodePorts", "Predicate NodePorts failed: " + r.reasons[0]
	}
	return "", ""
}
