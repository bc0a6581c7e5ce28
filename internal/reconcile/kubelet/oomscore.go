package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
)

const (
	protectedScore  = -997 // of Guaranteed Pods, and of those critical for their node
	bestEffortScore = 1000
)

// oomScore is the adjustment by which the kernel chooses the processes to kill when the node is
// short of memory: the more of the node's memory a container requests, the lower. It is between
// -997 and 1000.
//
// Source: kubernetes v1.36 pkg/kubelet/qos/policy.go, GetContainerOOMScoreAdjust; helpers.go, remainingPodMemReqPerContainer
func (k *sync) oomScore(c *container) int64 {
	switch {
	case k.Pod.Spec.PriorityClassName == "system-node-critical", k.Pod.Status.QOSClass == corev1.PodQOSGuaranteed:
		return protectedScore
	case k.Pod.Status.QOSClass == corev1.PodQOSBestEffort:
		return bestEffortScore
	}
	capacity := k.Node.Status.Capacity.Memory().Value()
	if capacity == 0 {
		return bestEffortScore - 1 // the requested share is unknown
	}
	requested := k.given(c).Requests.Memory().Value()
	if c.role == sidecar {
		requested = max(requested, k.leastMemory())
	}
	requested += k.memoryLeft()
	return min(max(1000-1000*requested/capacity, 1000+protectedScore), bestEffortScore-1)
}

// leastMemory is the smallest memory request of a regular container.
func (k *sync) leastMemory() int64 {
	least := k.Pod.Spec.Containers[0].Resources.Requests.Memory().Value()
	for i := range k.Pod.Spec.Containers {
		least = min(least, k.Pod.Spec.Containers[i].Resources.Requests.Memory().Value())
	}
	return least
}

// memoryLeft is each container's share of the memory that the Pod requests as a whole, beyond what
// its containers request.
func (k *sync) memoryLeft() int64 {
	whole := k.Pod.Spec.Resources
	if whole == nil {
		return 0
	}
	requested := helpers.AggregateContainerRequests(k.Pod, helpers.PodResourcesOptions{})
	left := whole.Requests.Memory().Value() - requested.Memory().Value()
	return max(left, 0) / int64(len(k.Pod.Spec.Containers)+len(k.Pod.Spec.InitContainers))
}
