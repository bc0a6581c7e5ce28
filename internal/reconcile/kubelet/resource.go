package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// podResources is what has been allocated to the Pod as a whole: all requests, and the limits that
// every container has, because otherwise the Pod is not limited.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, convertToAPIPodLevelResourcesStatus.
func podResources(pod *corev1.Pod) (*corev1.ResourceRequirements, corev1.ResourceList) {
	actual := &corev1.ResourceRequirements{}
	if !asksForResources(&pod.Spec) {
		return actual, nil
	}
	requests := resource.PodRequests(pod, resource.PodResourcesOptions{})
	limits := resource.PodLimits(pod, resource.PodResourcesOptions{})
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, ok := requests[name]; ok {
			if actual.Requests == nil {
				actual.Requests = corev1.ResourceList{}
			}
			actual.Requests[name] = q
		}
		if q, ok := limits[name]; ok && limited(&pod.Spec, name) {
			if actual.Limits == nil {
				actual.Limits = corev1.ResourceList{}
			}
			actual.Limits[name] = q
		}
	}
	return actual, requests
}

func asksForResources(spec *corev1.PodSpec) bool {
	if spec.Resources != nil || len(spec.Overhead) > 0 {
		return true
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if len(list[i].Resources.Requests) > 0 || len(list[i].Resources.Limits) > 0 {
				return true
			}
		}
	}
	return false
}

// limited reports whether the Pod, or each of its containers, limits the resource.
func limited(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	if spec.Resources != nil {
		if _, ok := spec.Resources.Limits[name]; ok {
			return true
		}
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if _, ok := list[i].Resources.Limits[name]; !ok {
				return false
			}
		}
	}
	return true
}
