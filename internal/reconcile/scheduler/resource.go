package scheduler

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// What a Pod without a request counts as when nodes are scored, but not when fit is checked.
// Source: kubernetes v1.36 pkg/scheduler/util/pod_resources.go.
const (
	defaultMilliCPU    = 100
	defaultMemoryBytes = 200 << 20
)

// Resources is an amount of everything that can be requested. The zero value means nothing.
type Resources struct {
	MilliCPU, MemoryBytes, EphemeralBytes int64

	// Scalar has huge pages and extended resources; nil if none exist. It is shared between copies
	// and replaced, never modified.
	Scalar map[corev1.ResourceName]int64

	// Weight is CPU and memory, with defaults for Pods that request none, for scoring nodes.
	WeightMilliCPU, WeightMemoryBytes int64
}

// Requests is what a Pod takes up on its node: its requests or its allocation, whichever is larger.
// Source: kubernetes v1.36 pkg/scheduler/framework/types.go, calculateResource.
func Requests(pod *corev1.Pod) Resources {
	r := Resources{WeightMilliCPU: defaultMilliCPU, WeightMemoryBytes: defaultMemoryBytes}
	if !requestsAnything(&pod.Spec) {
		n := int64(len(pod.Spec.Containers))
		r.WeightMilliCPU, r.WeightMemoryBytes = n*defaultMilliCPU, n*defaultMemoryBytes
		return r
	}
	// A Pod's allocation differs from its requests only after its spec has changed.
	r = amount(resource.PodRequests(pod, resource.PodResourcesOptions{
		UseStatusResources: pod.Generation > 1 && pod.Spec.NodeName != "", InPlacePodLevelResourcesVerticalScalingEnabled: true,
	}))
	for i := range pod.Spec.Containers {
		asked := pod.Spec.Containers[i].Resources.Requests
		if _, ok := asked[corev1.ResourceCPU]; !ok && r.MilliCPU == 0 {
			r.WeightMilliCPU += defaultMilliCPU
		}
		if _, ok := asked[corev1.ResourceMemory]; !ok && r.MemoryBytes == 0 {
			r.WeightMemoryBytes += defaultMemoryBytes
		}
	}
	return r
}

func requestsAnything(spec *corev1.PodSpec) bool {
	if spec.Resources != nil || len(spec.Overhead) > 0 {
		return true
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if len(list[i].Resources.Requests) > 0 {
				return true
			}
		}
	}
	return false
}

// onlySpec is a shallow copy of a Pod that requests only what its spec says.
func onlySpec(pod *corev1.Pod) *corev1.Pod {
	next := *pod
	next.Status = corev1.PodStatus{}
	return &next
}

// amount converts a resource list.
func amount(list corev1.ResourceList) Resources {
	var r Resources
	for name, q := range list {
		switch name {
		case corev1.ResourceCPU:
			r.MilliCPU = q.MilliValue()
		case corev1.ResourceMemory:
			r.MemoryBytes = q.Value()
		case corev1.ResourceEphemeralStorage:
			r.EphemeralBytes = q.Value()
		case corev1.ResourcePods:
		default:
			if r.Scalar == nil {
				r.Scalar = map[corev1.ResourceName]int64{}
			}
			r.Scalar[name] = q.Value()
		}
	}
	r.WeightMilliCPU, r.WeightMemoryBytes = r.MilliCPU, r.MemoryBytes
	return r
}

// plus is r plus sign times o.
func (r Resources) plus(o Resources, sign int64) Resources {
	r.MilliCPU += sign * o.MilliCPU
	r.MemoryBytes += sign * o.MemoryBytes
	r.EphemeralBytes += sign * o.EphemeralBytes
	r.WeightMilliCPU += sign * o.WeightMilliCPU
	r.WeightMemoryBytes += sign * o.WeightMemoryBytes
	if len(o.Scalar) > 0 {
		sum := make(map[corev1.ResourceName]int64, len(r.Scalar)+len(o.Scalar))
		maps.Copy(sum, r.Scalar)
		for name, n := range o.Scalar {
			sum[name] += sign * n
		}
		r.Scalar = sum
	}
	return r
}

// String is the amounts, without scalar resources that are zero.
func (r Resources) String() string {
	scalar := maps.Clone(r.Scalar)
	maps.DeleteFunc(scalar, func(_ corev1.ResourceName, n int64) bool { return n == 0 })
	return fmt.Sprint(r.MilliCPU, r.MemoryBytes, r.EphemeralBytes, r.WeightMilliCPU, r.WeightMemoryBytes, len(scalar), scalar)
}

// HostPort is a port that a Pod occupies on its node. An empty IP means every address.
type HostPort struct {
	IP       string
	Protocol corev1.Protocol
	Port     int32
}

// hostPorts lists the ports of its node that a Pod occupies, including those of sidecars.
func hostPorts(pod *corev1.Pod) []HostPort {
	var ports []HostPort
	for i := range pod.Spec.Containers {
		ports = appendHostPorts(ports, pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			ports = appendHostPorts(ports, c.Ports)
		}
	}
	return ports
}

func appendHostPorts(to []HostPort, ports []corev1.ContainerPort) []HostPort {
	for i := range ports {
		p := &ports[i]
		if p.HostPort <= 0 {
			continue
		}
		h := HostPort{IP: p.HostIP, Protocol: p.Protocol, Port: p.HostPort}
		if h.IP == "0.0.0.0" || h.IP == "::" {
			h.IP = ""
		}
		if h.Protocol == "" {
			h.Protocol = corev1.ProtocolTCP
		}
		to = append(to, h)
	}
	return to
}

// conflicts reports whether two Pods with these ports cannot run on one node.
func (p HostPort) conflicts(o HostPort) bool {
	return p.Port == o.Port && p.Protocol == o.Protocol && (p.IP == o.IP || p.IP == "" || o.IP == "")
}

// without is a list of ports with one occurrence of each of some others removed. The list is not
// modified.
func without(list, others []HostPort) []HostPort {
	if len(others) == 0 {
		return list
	}
	list = slices.Clone(list)
	for _, p := range others {
		if i := slices.Index(list, p); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}
