package scheduler

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Crowded reports whether a node's kubelet must judge a Pod that is already counted in there: the
// Pods on the node request more than it has, or two of them want the same port. Its cost does not
// depend on the number of Pods.
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

// Kubelet admits or rejects, one by one, the Pods that are bound to a node, by the scheduler or
// otherwise.
type Kubelet struct{ node Node }

// NewKubelet is the kubelet of a node without Pods.
func NewKubelet(node *corev1.Node) *Kubelet { return &Kubelet{NewNode(node)} }

// Kubelet is the kubelet of a node with the Pods that it has admitted. Its cost is proportional to
// their host ports.
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

// Admit admits a Pod or rejects it. reason is empty if it admits the Pod; message explains a
// rejection. Extended resources that the node does not have are ignored.
//
// Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go, Admit and generalFilter.
// Differs: critical Pods do not evict others; taints are left to taint eviction.
func (k *Kubelet) Admit(pod *corev1.Pod) (reason, message string) {
	if reason, message = k.judge(pod); reason == "" {
		k.node.add(Requests(pod), hostPorts(pod))
	}
	return reason, message
}

// AdmitAfter admits or rejects a Pod after doing so for others that came before, regardless of the
// results for those.
func (k *Kubelet) AdmitAfter(others []*corev1.Pod, pod *corev1.Pod) (reason, message string) {
	for _, o := range others {
		k.Admit(o)
	}
	return k.Admit(pod)
}

// Resize says why a Pod's node has no room for the Pod's requests beside what it has allocated to
// others; reason is empty if it has room. Its cost does not depend on the number of Pods.
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
