package mirror

import (
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// The indexes that find objects by address.
var (
	// ServicesByAddress finds the Services that receive traffic to an address from outside the
	// cluster, by that address: their external addresses and those of their load balancers.
	ServicesByAddress = Index{Name: "service-address", Resource: "services", Values: externalAddresses}
	// NodesByAddress finds nodes by their addresses.
	NodesByAddress = Index{Name: "node-address", Resource: "nodes", Values: func(v *object.Version) []string {
		var values []string
		for _, a := range v.Object().(*corev1.Node).Status.Addresses {
			if a.Type == corev1.NodeInternalIP || a.Type == corev1.NodeExternalIP {
				values = append(values, a.Address)
			}
		}
		return distinct(values)
	}}
	// SlicesByNamedAddress finds EndpointSlices by each address that has a hostname.
	SlicesByNamedAddress = Index{Name: "named-address", Resource: "endpointslices.discovery.k8s.io", Values: func(v *object.Version) []string {
		slice := v.Object().(*discoveryv1.EndpointSlice)
		var values []string
		for i := range slice.Endpoints {
			if e := &slice.Endpoints[i]; e.Hostname != nil && *e.Hostname != "" {
				values = append(values, e.Addresses...)
			}
		}
		return distinct(values)
	}}
	// PoliciesBySelection finds NetworkPolicies by namespace and one of the labels that they select
	// Pods by, or by namespace alone if they require no label with a value: see Label and
	// Selections.
	PoliciesBySelection = Index{Name: "selection", Resource: "networkpolicies.networking.k8s.io", Values: func(v *object.Version) []string {
		labels := v.Object().(*networkingv1.NetworkPolicy).Spec.PodSelector.MatchLabels
		if len(labels) == 0 {
			return []string{v.Namespace}
		}
		key := slices.Min(slices.Collect(maps.Keys(labels)))
		return []string{Label(v.Namespace, key, labels[key])}
	}}
	// PodsByHostPort finds the unfinished Pods on nodes by the node and the host ports that they
	// use, and those on the node's network by the node and port 0: see HostPort.
	PodsByHostPort = Index{Name: "hostport", Resource: "pods", Values: hostPorts}
)

// Selections returns the values under which PoliciesBySelection has the policies that may select a
// Pod.
func Selections(pod *corev1.Pod) []string {
	values := make([]string, 0, len(pod.Labels)+1)
	values = append(values, pod.Namespace)
	for key, value := range pod.Labels {
		values = append(values, Label(pod.Namespace, key, value))
	}
	slices.Sort(values)
	return values
}

// HostPort returns the value under which PodsByHostPort has the Pods that use a port of a node.
func HostPort(node string, port int) string { return node + ":" + strconv.Itoa(port) }

func hostPorts(v *object.Version) []string {
	pod := v.Object().(*corev1.Pod)
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return nil
	}
	var values []string
	if pod.Spec.HostNetwork {
		values = append(values, HostPort(pod.Spec.NodeName, 0))
	}
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			for _, p := range list[i].Ports {
				if p.HostPort != 0 {
					values = append(values, HostPort(pod.Spec.NodeName, int(p.HostPort)))
				}
			}
		}
	}
	return distinct(values)
}

func externalAddresses(v *object.Version) []string {
	s := v.Object().(*corev1.Service)
	var values []string
	if s.Spec.Type != corev1.ServiceTypeExternalName {
		values = append(values, s.Spec.ExternalIPs...)
	}
	for _, i := range s.Status.LoadBalancer.Ingress {
		if i.IP != "" && (i.IPMode == nil || *i.IPMode == corev1.LoadBalancerIPModeVIP) {
			values = append(values, i.IP)
		}
	}
	return distinct(values)
}

// distinct returns each of the values once.
func distinct(values []string) []string {
	if len(values) > 1 {
		slices.Sort(values)
	}
	return slices.Compact(values)
}
