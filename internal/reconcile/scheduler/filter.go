package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

// filter is a check that may refuse a node for a Pod. Filters run in the order of the list, and the
// first refusal is reported. The static ones do not depend on the Pods on the node.
// Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go, getDefaultPlugins, and the plugins named.
type filter struct {
	name   string
	static bool
	check  func(*class, *Node) refusal
}

var filters = []filter{
	{"NodeUnschedulable", true, checkUnschedulable},
	{"TaintToleration", true, checkTaints},
	{"NodeAffinity", true, checkAffinity},
	{"NodePorts", false, checkPorts},
	{"NodeResourcesFit", false, checkResources},
	{"VolumeRestrictions, VolumeBinding and VolumeZone", false, checkVolumes},
	{"PodTopologySpread and InterPodAffinity", false, checkTopology},
	{"DynamicResources", false, checkDevices},
}

// check runs the filters.
func (c *class) check(n *Node) refusal {
	for i := range filters {
		if r := filters[i].check(c, n); len(r.reasons) > 0 {
			return r
		}
	}
	return refusal{}
}

// allowed reports whether the static filters let the node pass.
func (c *class) allowed(n *Node) bool {
	for i := range filters {
		if filters[i].static && len(filters[i].check(c, n).reasons) > 0 {
			return false
		}
	}
	return true
}

func checkUnschedulable(c *class, n *Node) refusal {
	if !n.Object.Spec.Unschedulable {
		return refusal{}
	}
	taint := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	if corev1helpers.TolerationsTolerateTaint(klog.Logger{}, c.pod.Spec.Tolerations, &taint, false) {
		return refusal{}
	}
	return refusedCordoned
}

func checkTaints(c *class, n *Node) refusal {
	if len(n.Object.Spec.Taints) > 0 && c.repelled(n) {
		return refusedTainted
	}
	return refusal{}
}

// repelled reports whether the node has a taint that keeps the class's Pods away.
func (c *class) repelled(n *Node) bool {
	hard := func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }
	_, found := corev1helpers.FindMatchingUntoleratedTaint(klog.Logger{}, n.Object.Spec.Taints, c.pod.Spec.Tolerations, hard, false)
	return found
}

func checkAffinity(c *class, n *Node) refusal {
	if !c.selective {
		return refusal{}
	}
	if match, err := c.required.Match(n.Object); !match || err != nil { // what cannot be parsed matches no node
		return refusedAffinity
	}
	return refusal{}
}

func checkPorts(c *class, n *Node) refusal {
	for _, want := range c.ports {
		for _, have := range n.Ports {
			if want.conflicts(have) {
				return refusedPorts
			}
		}
	}
	return refusal{}
}

// checkResources reports every insufficient resource. The refusal is final if a request exceeds
// what the node has in total.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/noderesources/fit.go, fitsRequest.
func checkResources(c *class, n *Node) refusal {
	if c.fitsIn(n) {
		return refusal{}
	}
	var r refusal
	if n.Pods+1 > n.MaxPods {
		r.reasons = append(r.reasons, "Too many pods")
	}
	short := func(want, used, has int64, name corev1.ResourceName) {
		if want > 0 && want > has-used {
			r.reasons = append(r.reasons, "Insufficient "+string(name))
			r.final = r.final || want > has
		}
	}
	short(c.request.MilliCPU, n.Used.MilliCPU, n.Allocatable.MilliCPU, corev1.ResourceCPU)
	short(c.request.MemoryBytes, n.Used.MemoryBytes, n.Allocatable.MemoryBytes, corev1.ResourceMemory)
	short(c.request.EphemeralBytes, n.Used.EphemeralBytes, n.Allocatable.EphemeralBytes, corev1.ResourceEphemeralStorage)
	for name, want := range c.request.Scalar {
		short(want, n.Used.Scalar[name], n.Allocatable.Scalar[name], name)
	}
	return r
}

// checkVolumes runs upstream's volume filters, one after the other.
func checkVolumes(c *class, n *Node) refusal {
	if c.volumes == nil {
		return refusal{}
	}
	if c.volumes.shared {
		return refusedShared
	}
	if _, _, why := c.volumes.on(n.Object); len(why) > 0 {
		return refusal{reasons: why, final: true}
	}
	for _, v := range c.volumes.bound {
		if !sameZone(v, n.Object) {
			return refusedZone
		}
	}
	return refusal{}
}

// fitsIn reports whether the node has what the class requests.
func (c *class) fitsIn(n *Node) bool {
	lacks := func(want, used, has int64) bool { return want > 0 && want > has-used }
	if n.Pods+1 > n.MaxPods ||
		lacks(c.request.MilliCPU, n.Used.MilliCPU, n.Allocatable.MilliCPU) ||
		lacks(c.request.MemoryBytes, n.Used.MemoryBytes, n.Allocatable.MemoryBytes) ||
		lacks(c.request.EphemeralBytes, n.Used.EphemeralBytes, n.Allocatable.EphemeralBytes) {
		return false
	}
	for name, want := range c.request.Scalar {
		if lacks(want, n.Used.Scalar[name], n.Allocatable.Scalar[name]) {
			return false
		}
	}
	return true
}

func checkTopology(c *class, n *Node) refusal {
	if c.topology == nil {
		return refusal{}
	}
	return c.topology.refuses(n.place)
}

// checkDevices refuses nodes that do not have the devices for the Pod's claims. No other Pods are
// preempted for devices.
func checkDevices(c *class, n *Node) refusal {
	if c.devices == nil {
		return refusal{}
	}
	return c.devices.on(n.Object).refusal
}
