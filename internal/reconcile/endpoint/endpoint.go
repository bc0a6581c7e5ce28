// Package endpoint decides which Pods are endpoints of a Service, at which port and since when. It
// also says where Pods reach the API. The reconcilers of Endpoints and EndpointSlices use it.
package endpoint

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// The address at which Pods reach the API. It belongs to no Pod, node or Service.
const (
	APIAddress = "10.0.0.1"
	APIPort    = 6443
)

// Selects reports whether the Service selects Pods as its endpoints.
func Selects(s *corev1.Service) bool {
	return s.Spec.Type != corev1.ServiceTypeExternalName && len(s.Spec.Selector) > 0
}

// Included reports whether a Pod is an endpoint, ready or not: it has an address and has not ended.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/controller_utils.go, ShouldPodBeInEndpoints
func Included(pod *corev1.Pod) bool {
	return !podstate.Terminal(pod) && (pod.Status.PodIP != "" || len(pod.Status.PodIPs) > 0)
}

// Address is the Pod's address in a family; empty if it has none.
func Address(pod *corev1.Pod, family corev1.IPFamily) string {
	for _, ip := range pod.Status.PodIPs {
		a, err := netip.ParseAddr(ip.IP)
		if err != nil || a.Is6() != (family == corev1.IPv6Protocol) {
			continue
		}
		var canonical [64]byte
		if string(a.AppendTo(canonical[:0])) == ip.IP { // as nearly all are
			return ip.IP
		}
		return a.String()
	}
	return ""
}

// Hostname is the Pod's name in the Service's domain; empty if it has none.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/controller_utils.go, ShouldSetHostname
func Hostname(pod *corev1.Pod, s *corev1.Service) string {
	if pod.Spec.Subdomain != s.Name || pod.Namespace != s.Namespace {
		return ""
	}
	return pod.Spec.Hostname
}

// Port is the port number at which a Pod serves a port of a Service. A named target port is that of
// a port of a container or a sidecar.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/utils.go, FindPort
func Port(pod *corev1.Pod, p *corev1.ServicePort) (number int32, ok bool) {
	if p.TargetPort.Type == intstr.Int {
		return p.TargetPort.IntVal, true
	}
	named := func(c *corev1.Container) bool {
		i := slices.IndexFunc(c.Ports, func(port corev1.ContainerPort) bool {
			return port.Name == p.TargetPort.StrVal && port.Protocol == p.Protocol
		})
		if i >= 0 {
			number, ok = c.Ports[i].ContainerPort, true
		}
		return ok
	}
	for i := range pod.Spec.Containers {
		if named(&pod.Spec.Containers[i]) {
			return number, ok
		}
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways && named(c) {
			return number, ok
		}
	}
	return 0, false
}

// Triggered is when the event happened that changes the endpoints, if known: the earliest time, of
// the Service's creation and the Pods' transitions, that is later than the last recorded trigger.
// Zero means unknown.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/trigger_time_tracker.go, ComputeEndpointLastChangeTriggerTime
//
// Differs: the last recorded trigger is read from the objects' annotations, not remembered.
func Triggered(s *corev1.Service, pods []*corev1.Pod, before []map[string]string) time.Time {
	var told, first time.Time
	for _, annotations := range before {
		if at, err := time.Parse(time.RFC3339Nano, annotations[corev1.EndpointsLastChangeTriggerTime]); err == nil && at.After(told) {
			told = at
		}
	}
	consider := func(at time.Time) {
		if at.After(told) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if len(before) == 0 {
		consider(s.CreationTimestamp.Time)
	}
	for _, pod := range pods {
		for i := range pod.Status.Conditions {
			if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
				consider(c.LastTransitionTime.Time)
			}
		}
	}
	return first.UTC()
}

// PortsKey is equal for the same ports in any order.
func PortsKey(ports []discoveryv1.EndpointPort) string {
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return "=" + *s
	}
	var keys []string
	for _, p := range ports {
		number, protocol := "-", (*string)(p.Protocol)
		if p.Port != nil {
			number = fmt.Sprint(*p.Port)
		}
		keys = append(keys, text(p.Name)+"/"+number+"/"+text(protocol)+"/"+text(p.AppProtocol))
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

// Key is equal for the same endpoint, regardless of its state.
type Key struct{ addresses, hostname, namespace, name string }

// KeyOf returns an endpoint's Key.
//
// Source: kubernetes v1.36 staging/src/k8s.io/endpointslice/util/endpointset.go, hashEndpoint
func KeyOf(e *discoveryv1.Endpoint) (k Key) {
	if len(e.Addresses) == 1 {
		k.addresses = e.Addresses[0]
	} else {
		k.addresses = strings.Join(e.Addresses, ",")
	}
	if e.Hostname != nil {
		k.hostname = *e.Hostname
	}
	if e.TargetRef != nil {
		k.namespace, k.name = e.TargetRef.Namespace, e.TargetRef.Name
	}
	return k
}

// AlikePorts reports whether all Pods serve a Service's ports at the same numbers: none of its
// target ports is a name.
func AlikePorts(s *corev1.Service) bool {
	return !slices.ContainsFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return p.TargetPort.Type != intstr.Int })
}
