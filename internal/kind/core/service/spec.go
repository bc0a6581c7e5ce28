package service

import (
	corev1 "k8s.io/api/core/v1"
)

// externallyAccessible says whether traffic from outside the cluster may reach the Service.
func externallyAccessible(s *corev1.ServiceSpec) bool {
	return usesNodePorts(s) || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
}

// usesNodePorts says whether the Service's type is one that may have node ports.
func usesNodePorts(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
}

// needsHealthCheckPort says whether load balancers must ask nodes whether they have a Pod of the
// Service.
func needsHealthCheckPort(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

// headless says whether the Service has no address of its own.
func headless(s *corev1.ServiceSpec) bool {
	return len(s.ClusterIPs) == 1 && s.ClusterIPs[0] == corev1.ClusterIPNone
}
