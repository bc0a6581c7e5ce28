package service

import (
	corev1 "k8s.io/api/core/v1"
)

// externallyAccessible reports whether traffic from outside the cluster may reach the Service.
func externallyAccessible(s *corev1.ServiceSpec) bool {
	return usesNodePorts(s) || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
}

// usesNodePorts reports whether a Service of this type may have node ports.
func usesNodePorts(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
}

// needsHealthCheckPort reports whether load balancers must check which nodes have a Pod of the
// Service.
func needsHealthCheckPort(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

// headless reports whether the Service is headless.
func headless(s *corev1.ServiceSpec) bool {
	return len(s.ClusterIPs) == 1 && s.ClusterIPs[0] == corev1.ClusterIPNone
}
