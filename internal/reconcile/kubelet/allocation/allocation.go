// Package allocation determines the CPU and memory that a Pod and its containers are allocated:
// what the status reports, what the emulator enforces, and when a container must be restarted for
// it.
package allocation

import (
	"cmp"
	"encoding/json"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/emulator"
)

// OfPod is what has been allocated to the Pod as a whole: all requests, and the limits that
// every container has, because otherwise the Pod is not limited.
// Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go, convertToAPIPodLevelResourcesStatus.
func OfPod(pod *corev1.Pod) (*corev1.ResourceRequirements, corev1.ResourceList) {
	actual := &corev1.ResourceRequirements{}
	if !asksForResources(&pod.Spec) {
		return actual, nil
	}
	requests, limits := totals(pod)
	actual.Requests = restrict(requests, isReported)
	actual.Limits = restrict(limits, func(name corev1.ResourceName) bool { return isReported(name) && limited(&pod.Spec, name) })
	return actual, requests
}

// totals returns the requests and the limits of the whole Pod, which must not be changed: those of
// a single container are the container's own, as most Pods are such and lists take much memory.
func totals(pod *corev1.Pod) (requests, limits corev1.ResourceList) {
	s := &pod.Spec
	if len(s.Containers) == 1 && len(s.InitContainers) == 0 && s.Resources == nil && len(s.Overhead) == 0 {
		return s.Containers[0].Resources.Requests, s.Containers[0].Resources.Limits
	}
	return resource.PodRequests(pod, resource.PodResourcesOptions{}), resource.PodLimits(pod, resource.PodResourcesOptions{})
}

// isReported reports whether the status of the whole Pod has a resource's actual requests and
// limits.
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

// asksForResources reports whether the Pod or one of its containers has requests or limits.
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

// OfContainer is what has been allocated to a container that requests r.
func OfContainer(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	return &corev1.ResourceRequirements{Limits: r.Limits, Requests: r.Requests, Claims: r.Claims}
}

// Enforced is what the emulator must know of a container's requests and limits. If it has no limit
// of its own, that of the whole Pod applies; whole is nil if the Pod has none.
//
// Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container_linux.go, getCPULimit and getMemoryLimit
func Enforced(r, whole *corev1.ResourceRequirements) emulator.Resources {
	of := emulator.Resources{MilliCPURequest: r.Requests.Cpu().MilliValue(), MilliCPULimit: r.Limits.Cpu().MilliValue(), MemoryLimit: r.Limits.Memory().Value()}
	if whole == nil {
		return of
	}
	of.MilliCPULimit = cmp.Or(of.MilliCPULimit, whole.Limits.Cpu().MilliValue())
	of.MemoryLimit = cmp.Or(of.MemoryLimit, whole.Limits.Memory().Value())
	return of
}

// Restarts reports whether a container must be restarted to replace the given resources by its own.
func Restarts(c *corev1.Container, given *corev1.ResourceRequirements) bool {
	differs := func(name corev1.ResourceName) bool {
		request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
		return request.Cmp(given.Requests[name]) != 0 || limit.Cmp(given.Limits[name]) != 0
	}
	for _, p := range c.ResizePolicy {
		if p.RestartPolicy == corev1.RestartContainer && differs(p.ResourceName) {
			return true
		}
	}
	return false
}

// Message is what an event says about a resize, with the requested resources. generation is the
// Pod's generation with these, and failure is "" unless the node has no room.
//
// Source: kubernetes v1.36 pkg/kubelet/events/resize.go, podResizeMessage.
func Message(what string, pod *corev1.Pod, generation int64, failure string) string {
	type allocation struct {
		Name      string                      `json:"name"`
		Resources corev1.ResourceRequirements `json:"resources"`
	}
	list := func(containers []corev1.Container) (out []allocation) {
		for i := range containers {
			out = append(out, allocation{containers[i].Name, containers[i].Resources})
		}
		return out
	}
	text, err := json.Marshal(struct {
		InitContainers []allocation `json:"initContainers,omitempty"`
		Containers     []allocation `json:"containers,omitempty"`
		Generation     int64        `json:"generation"`
		Error          string       `json:"error,omitempty"`
	}{list(pod.Spec.InitContainers), list(pod.Spec.Containers), generation, failure})
	if err != nil {
		return what // it consists of strings and numbers
	}
	return what + ": " + string(text)
}
