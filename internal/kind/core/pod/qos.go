package pod

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// qosClass returns the QoS class of a Pod: Guaranteed if every container has limits for cpu and
// memory and equal requests, BestEffort if none has requests or limits, Burstable otherwise.
// Pod-level resources replace those of the containers.
//
// Source: kubernetes v1.36 pkg/apis/core/helper/qos/qos.go, ComputePodQOS
func qosClass(s *corev1.PodSpec) corev1.PodQOSClass {
	var resources []*corev1.ResourceRequirements
	if s.Resources != nil {
		resources = append(resources, s.Resources)
	} else {
		for _, containers := range [][]corev1.Container{s.Containers, s.InitContainers} {
			for i := range containers {
				resources = append(resources, &containers[i].Resources)
			}
		}
	}

	var requests, limits computeResources
	guaranteed := true
	for _, r := range resources {
		requests.add(r.Requests)
		limits.add(r.Limits)
		guaranteed = guaranteed && isPositive(r.Limits[corev1.ResourceCPU]) && isPositive(r.Limits[corev1.ResourceMemory])
	}
	switch none := (computeResources{}); {
	case requests.equal(none) && limits.equal(none):
		return corev1.PodQOSBestEffort
	case guaranteed && requests.equal(limits):
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// computeResources are sums of the resources that determine the class.
type computeResources struct{ cpu, memory resource.Quantity }

// add adds the positive quantities of the list.
func (c *computeResources) add(list corev1.ResourceList) {
	if cpu := list[corev1.ResourceCPU]; isPositive(cpu) {
		c.cpu.Add(cpu)
	}
	if memory := list[corev1.ResourceMemory]; isPositive(memory) {
		c.memory.Add(memory)
	}
}

func (c computeResources) equal(other computeResources) bool {
	return c.cpu.Cmp(other.cpu) == 0 && c.memory.Cmp(other.memory) == 0
}

func isPositive(q resource.Quantity) bool { return q.Sign() > 0 }
