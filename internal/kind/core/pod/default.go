package pod

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/check"
	"github.com/rowlock/rowlock/internal/kind/core/podspec"
)

// defaultPod applies defaults, in place, also to a status that a client sends.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, SetDefaults_Pod, and pkg/apis/core/v1/conversion.go,
// Convert_v1_Pod_To_core_Pod and Convert_v1_PodStatus_To_core_PodStatus
func defaultPod(p *corev1.Pod) {
	p.Annotations = podspec.DropInitContainerAnnotations(p.Annotations)
	s := &p.Spec
	for _, containers := range [][]corev1.Container{s.Containers, s.InitContainers} {
		for i := range containers {
			requestLimits(&containers[i].Resources)
			if s.HostNetwork {
				takeHostPorts(containers[i].Ports)
			}
		}
	}
	defaultPodResources(p)
	kind.SetDefault(&s.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	if grace := s.TerminationGracePeriodSeconds; grace != nil && *grace < 0 {
		s.TerminationGracePeriodSeconds = new(int64(1))
	}
	podspec.Default(s)
	defaultPodStatus(&p.Status)
}

// requestLimits sets missing requests to the limits.
func requestLimits(r *corev1.ResourceRequirements) {
	if r.Limits == nil {
		return
	}
	requests := maps.Clone(r.Limits)
	maps.Copy(requests, r.Requests)
	r.Requests = requests
}

// takeHostPorts sets the host ports of a Pod on the host's network to its container ports.
func takeHostPorts(ports []corev1.ContainerPort) {
	for i := range ports {
		if ports[i].HostPort == 0 {
			ports[i].HostPort = ports[i].ContainerPort
		}
	}
}

// defaultPodResources defaults the Pod-level resources, if there are any: limits of huge pages to
// the sum of the containers' limits, requests to the sum of their requests, or else to the limits.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go, defaultHugePagePodLimits and defaultPodRequests
func defaultPodResources(p *corev1.Pod) {
	r := p.Spec.Resources
	if r == nil || len(r.Limits)+len(r.Requests) == 0 {
		return
	}
	for name, sum := range resourcehelper.AggregateContainerLimits(p, resourcehelper.PodResourcesOptions{}) {
		if _, requested := r.Requests[name]; check.IsHugePages(name) && !requested {
			r.Limits = kind.WithDefault(r.Limits, name, sum)
		}
	}
	if len(r.Limits) == 0 {
		return
	}
	for name, sum := range resourcehelper.AggregateContainerRequests(p, resourcehelper.PodResourcesOptions{}) {
		if resourcehelper.IsSupportedPodLevelResource(name) && !check.IsHugePages(name) {
			r.Requests = kind.WithDefault(r.Requests, name, sum)
		}
	}
	for name, limit := range r.Limits {
		if resourcehelper.IsSupportedPodLevelResource(name) {
			r.Requests = kind.WithDefault(r.Requests, name, limit)
		}
	}
}

// defaultPodStatus makes podIP the first of podIPs. If they differ, podIP wins, because older
// clients set only that.
func defaultPodStatus(s *corev1.PodStatus) {
	if s.PodIP != "" && firstPodIP(s) != s.PodIP {
		s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	}
	s.PodIP = firstPodIP(s)
	kind.RoundUp(s.AllocatedResources)
	if s.Resources != nil {
		kind.RoundUp(s.Resources.Limits, s.Resources.Requests)
	}
	for _, statuses := range [][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses} {
		for _, c := range statuses {
			kind.RoundUp(c.AllocatedResources)
			if c.Resources != nil {
				kind.RoundUp(c.Resources.Limits, c.Resources.Requests)
			}
		}
	}
}
