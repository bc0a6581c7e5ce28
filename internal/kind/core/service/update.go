package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// keepAllocated keeps allocated values that the client does not send, so that a manifest without
// addresses and ports can be applied again.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, patchAllocatedValues
func keepAllocated(s, was *corev1.ServiceSpec) {
	if s.Type != corev1.ServiceTypeExternalName && was.Type != corev1.ServiceTypeExternalName {
		if s.ClusterIP == "" {
			s.ClusterIP = was.ClusterIP
		}
		if len(s.ClusterIPs) == 0 {
			s.ClusterIPs = slices.Clone(was.ClusterIPs)
		}
	}
	if takesNodePorts(s) && takesNodePorts(was) {
		keepNodePorts(s, was)
	}
	if needsHealthCheckPort(s) && needsHealthCheckPort(was) && s.HealthCheckNodePort == 0 {
		s.HealthCheckNodePort = was.HealthCheckNodePort
	}
}

// takesNodePorts reports whether each of the Service's ports needs a node port.
func takesNodePorts(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeNodePort ||
		s.Type == corev1.ServiceTypeLoadBalancer && (s.AllocateLoadBalancerNodePorts == nil || *s.AllocateLoadBalancerNodePorts)
}

// keepNodePorts keeps node ports by port name, except those that the client assigns to another
// port.
func keepNodePorts(s, was *corev1.ServiceSpec) {
	before := make(map[string]int32, len(was.Ports))
	for _, p := range was.Ports {
		before[p.Name] = p.NodePort
	}
	asked := nodePortsOf(s)
	for i := range s.Ports {
		if p := &s.Ports[i]; p.NodePort == 0 && !slices.Contains(asked, before[p.Name]) {
			p.NodePort = before[p.Name]
		}
	}
}

// nodePortsOf returns the node ports of the Service's ports.
func nodePortsOf(s *corev1.ServiceSpec) []int32 {
	var ports []int32
	for _, p := range s.Ports {
		if p.NodePort != 0 {
			ports = append(ports, p.NodePort)
		}
	}
	return ports
}

// matchClusterIPs makes clusterIP and clusterIPs agree if the client changed only one of them. was
// is nil for a new Service.
//
// Source: kubernetes v1.36 pkg/registry/core/service/storage/storage.go, normalizeClusterIPs
func matchClusterIPs(s, was *corev1.ServiceSpec) {
	if was == nil {
		if s.ClusterIP != "" && len(s.ClusterIPs) == 0 {
			s.ClusterIPs = []string{s.ClusterIP}
		}
		return
	}
	if len(was.ClusterIPs) > 0 && len(s.ClusterIPs) == 0 && was.ClusterIP == s.ClusterIP {
		s.ClusterIPs = slices.Clone(was.ClusterIPs)
	}
	if was.ClusterIP == s.ClusterIP || !slices.Equal(was.ClusterIPs, s.ClusterIPs) {
		return
	}
	s.ClusterIPs = nil
	if s.ClusterIP != "" || was.ClusterIP == "" {
		s.ClusterIPs = []string{s.ClusterIP}
	}
}

// prepareServiceUpdate keeps the status and drops fields that the Service's new type does not have
// and that the client did not change.
//
// Source: kubernetes v1.36 pkg/registry/core/service/strategy.go, PrepareForUpdate and dropTypeDependentFields
func prepareServiceUpdate(svc, before *corev1.Service) {
	svc.Status = *before.Status.DeepCopy()
	s, was := &svc.Spec, &before.Spec
	if s.Type == corev1.ServiceTypeExternalName && was.Type != corev1.ServiceTypeExternalName {
		dropClusterIPs(s, was)
	}
	if usesNodePorts(was) && !usesNodePorts(s) && !addsNodePorts(s, was) {
		for i := range s.Ports {
			s.Ports[i].NodePort = 0
		}
	}
	if needsHealthCheckPort(was) && !needsHealthCheckPort(s) && s.HealthCheckNodePort == was.HealthCheckNodePort {
		s.HealthCheckNodePort = 0
	}
	if was.Type == corev1.ServiceTypeLoadBalancer && s.Type != corev1.ServiceTypeLoadBalancer {
		if was.AllocateLoadBalancerNodePorts != nil && equality.Semantic.DeepEqual(s.AllocateLoadBalancerNodePorts, was.AllocateLoadBalancerNodePorts) {
			s.AllocateLoadBalancerNodePorts = nil
		}
		if equality.Semantic.DeepEqual(s.LoadBalancerClass, was.LoadBalancerClass) {
			s.LoadBalancerClass = nil
		}
	}
	if externallyAccessible(was) && !externallyAccessible(s) && s.ExternalTrafficPolicy == was.ExternalTrafficPolicy {
		s.ExternalTrafficPolicy = ""
	}
	if s.Type != corev1.ServiceTypeLoadBalancer {
		svc.Status.LoadBalancer = corev1.LoadBalancerStatus{}
	}
	if s.Type == corev1.ServiceTypeExternalName && equality.Semantic.DeepEqual(s.InternalTrafficPolicy, was.InternalTrafficPolicy) {
		s.InternalTrafficPolicy = nil
	}
}

// dropClusterIPs drops addresses and families when a Service becomes an ExternalName.
func dropClusterIPs(s, was *corev1.ServiceSpec) {
	if s.ClusterIP == was.ClusterIP && slices.Equal(s.ClusterIPs, was.ClusterIPs) {
		s.ClusterIP, s.ClusterIPs = "", nil
	}
	if slices.Equal(s.IPFamilies, was.IPFamilies) {
		s.IPFamilies = nil
	}
	if equality.Semantic.DeepEqual(s.IPFamilyPolicy, was.IPFamilyPolicy) {
		s.IPFamilyPolicy = nil
	}
}

// addsNodePorts reports whether the client requests new node ports.
func addsNodePorts(s, was *corev1.ServiceSpec) bool {
	had := nodePortsOf(was)
	return slices.ContainsFunc(nodePortsOf(s), func(port int32) bool { return !slices.Contains(had, port) })
}
