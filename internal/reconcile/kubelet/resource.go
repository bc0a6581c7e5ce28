package kubelet

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
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
	requests, limits := totals(pod)
	actual.Requests = restrict(requests, isReported)
	actual.Limits = restrict(limits, func(name corev1.ResourceName) bool { return isReported(name) && limited(&pod.Spec, name) })
	return actual, requests
}

// totals returns the requests and the limits of the whole Pod, which must not be changed: those of a
// single container are the container's own, as most Pods are such and lists take much memory.
func totals(pod *corev1.Pod) (requests, limits corev1.ResourceList) {
	s := &pod.Spec
	if len(s.Containers) == 1 && len(s.InitContainers) == 0 && s.Resources == nil && len(s.Overhead) == 0 {
		return s.Containers[0].Resources.Requests, s.Containers[0].Resources.Limits
	}
	return resource.PodRequests(pod, resource.PodResourcesOptions{}), resource.PodLimits(pod, resource.PodResourcesOptions{})
}

// isReported reports whether the status of the whole Pod has a resource's actual requests and limits.
func isReported(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory
}

// restrict returns the part of a list with some resources: nil for none, the list itself for all.
func restrict(list corev1.ResourceList, keep func(corev1.ResourceName) bool) corev1.ResourceList {
	kept := 0
	for name := range list {
		if keep(name) {
			kept++
		}
	}
	switch kept {
	case 0:
		return nil
	case len(list):
		return list
	}
	some := maps.Clone(list)
	maps.DeleteFunc(some, func(name corev1.ResourceName, _ apiresource.Quantity) bool { return !keep(name) })
	return some
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
