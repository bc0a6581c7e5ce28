package podstate

import (
	corev1 "k8s.io/api/core/v1"
)

// AwaitsResize reports whether the Pod requests other amounts of CPU or memory than its node has
// allocated to its started containers, or to the Pod as a whole. It is false while the node is
// applying a resize.
func AwaitsResize(pod *corev1.Pod) bool {
	if pod.Generation <= 1 || pod.Spec.NodeName == "" || pod.Status.StartTime == nil || Terminal(pod) {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodResizeInProgress && c.ObservedGeneration == pod.Generation {
			return false
		}
	}
	return asksForOther(&pod.Spec, &pod.Status)
}

func asksForOther(spec *corev1.PodSpec, st *corev1.PodStatus) bool {
	for _, set := range []struct {
		specs    []corev1.Container
		statuses []corev1.ContainerStatus
	}{{spec.Containers, st.ContainerStatuses}, {spec.InitContainers, st.InitContainerStatuses}} {
		for i := range set.specs {
			if c := statusOf(set.statuses, set.specs[i].Name); c != nil && c.Resources != nil && !SameResources(&set.specs[i].Resources, Given(c)) {
				return true
			}
		}
	}
	return spec.Resources != nil && st.Resources != nil && !SameResources(spec.Resources, st.Resources)
}

// Given are the resources that its node has allocated to a container; it must have been started.
func Given(c *corev1.ContainerStatus) *corev1.ResourceRequirements {
	return &corev1.ResourceRequirements{Requests: c.AllocatedResources, Limits: c.Resources.Limits}
}

// SameResources reports whether requests and limits of CPU and memory are equal.
func SameResources(a, b *corev1.ResourceRequirements) bool {
	return sameCompute(a.Requests, b.Requests) && sameCompute(a.Limits, b.Limits)
}

func sameCompute(a, b corev1.ResourceList) bool {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		x, y := a[name], b[name]
		if x.Cmp(y) != 0 {
			return false
		}
	}
	return true
}

func statusOf(statuses []corev1.ContainerStatus, name string) *corev1.ContainerStatus {
	for i := range statuses {
		if statuses[i].Name == name {
			return &statuses[i]
		}
	}
	return nil
}

// AsGiven is a copy of the Pod that requests what its node has allocated to it. The copy shares the
// parts that do not differ.
func AsGiven(pod *corev1.Pod) *corev1.Pod {
	next := *pod
	next.Spec.Containers = asGiven(pod.Spec.Containers, pod.Status.ContainerStatuses)
	next.Spec.InitContainers = asGiven(pod.Spec.InitContainers, pod.Status.InitContainerStatuses)
	if next.Spec.Resources != nil && pod.Status.Resources != nil {
		next.Spec.Resources = pod.Status.Resources
	}
	return &next
}

func asGiven(specs []corev1.Container, statuses []corev1.ContainerStatus) []corev1.Container {
	next := make([]corev1.Container, len(specs))
	for i := range specs {
		next[i] = specs[i]
		if c := statusOf(statuses, specs[i].Name); c != nil && c.Resources != nil {
			next[i].Resources = *Given(c)
		}
	}
	return next
}

// Resizes reports whether the Pod has a condition about a resize.
func Resizes(pod *corev1.Pod) bool {
	for i := range pod.Status.Conditions {
		if t := pod.Status.Conditions[i].Type; t == corev1.PodResizePending || t == corev1.PodResizeInProgress {
			return true
		}
	}
	return false
}
