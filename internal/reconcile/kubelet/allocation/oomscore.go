package allocation

import (
	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/resource"
)

const (
	protectedScore  = -997 // of Guaranteed Pods, and of those critical for their node
	bestEffortScore = 1000
)

// OOMScore is the adjustment by which the kernel chooses the processes to kill when the node is
// short of memory: the more of the node's memory a container is given, the lower. It is between -997
// and 1000.
//
// Source: kubernetes v1.36 pkg/kubelet/qos/policy.go, GetContainerOOMScoreAdjust; helpers.go, remainingPodMemReqPerContainer
func OOMScore(pod *corev1.Pod, node *corev1.Node, given *corev1.ResourceRequirements, isSidecar bool) int64 {
	switch {
	case pod.Spec.PriorityClassName == "system-node-critical", pod.Status.QOSClass == corev1.PodQOSGuaranteed:
		return protectedScore
	case pod.Status.QOSClass == corev1.PodQOSBestEffort:
		return bestEffortScore
	}
	capacity := node.Status.Capacity.Memory().Value()
	if capacity == 0 {
		return bestEffortScore - 1 // the requested share is unknown
	}
	requested := given.Requests.Memory().Value()
	if isSidecar {
		requested = max(requested, leastMemory(pod))
	}
	requested += memoryLeft(pod)
	return min(max(1000-1000*requested/capacity, 1000+protectedScore), bestEffortScore-1)
}

// leastMemory is the smallest memory request of a regular container.
func leastMemory(pod *corev1.Pod) int64 {
	least := pod.Spec.Containers[0].Resources.Requests.Memory().Value()
	for i := range pod.Spec.Containers {
		least = min(least, pod.Spec.Containers[i].Resources.Requests.Memory().Value())
	}
	return least
}

// memoryLeft is each container's share of the memory that the Pod requests as a whole, beyond what
// its containers request.
func memoryLeft(pod *corev1.Pod) int64 {
	whole := pod.Spec.Resources
	if whole == nil {
		return 0
	}
	requested := helpers.AggregateContainerRequests(pod, helpers.PodResourcesOptions{})
	left := whole.Requests.Memory().Value() - requested.Memory().Value()
	return max(left, 0) / int64(len(pod.Spec.Containers)+len(pod.Spec.InitContainers))
}
