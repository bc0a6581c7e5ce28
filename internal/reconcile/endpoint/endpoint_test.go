package endpoint_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/reconcile/endpoint"
)

// TestPort: a name is that of a container's port with the same protocol, or of a sidecar's, but not
// of another init container's.
func TestPort(t *testing.T) {
	t.Parallel()
	serving := func(name string, number int32, protocol corev1.Protocol) corev1.Container {
		return corev1.Container{Ports: []corev1.ContainerPort{{Name: name, ContainerPort: number, Protocol: protocol}}}
	}
	sidecar := serving("side", 4, corev1.ProtocolTCP)
	sidecar.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{serving("init", 5, corev1.ProtocolTCP), sidecar},
		Containers:     []corev1.Container{serving("dns", 1, corev1.ProtocolUDP), serving("dns", 2, corev1.ProtocolTCP), serving("web", 3, corev1.ProtocolTCP)},
	}}
	for target, want := range map[intstr.IntOrString]int32{
		intstr.FromInt32(80): 80, intstr.FromString("web"): 3, intstr.FromString("dns"): 2, intstr.FromString("side"): 4,
		intstr.FromString("init"): 0, intstr.FromString("none"): 0,
	} {
		got, ok := endpoint.Port(pod, &corev1.ServicePort{TargetPort: target, Protocol: corev1.ProtocolTCP})
		if got != want || ok != (want != 0) {
			t.Errorf("%s is port %d, %t; want %d", target.String(), got, ok, want)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	pod := &corev1.Pod{Status: corev1.PodStatus{PodIPs: []corev1.PodIP{{IP: "10.244.0.2"}, {IP: "FD00:0:0::2"}}}}
	if v4, v6 := endpoint.Address(pod, corev1.IPv4Protocol), endpoint.Address(pod, corev1.IPv6Protocol); v4 != "10.244.0.2" || v6 != "fd00::2" {
		t.Errorf("the addresses are %q and %q", v4, v6)
	}
	if a := endpoint.Address(&corev1.Pod{}, corev1.IPv4Protocol); a != "" {
		t.Errorf("a Pod without an address has %q", a)
	}
}

// TestIncluded: a Pod that is not ready is included, one that has ended is not.
func TestIncluded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status corev1.PodStatus
		want   bool
	}{
		{corev1.PodStatus{Phase: corev1.PodPending}, false},
		{corev1.PodStatus{Phase: corev1.PodPending, PodIP: "10.244.0.2"}, true},
		{corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.244.0.2"}, true},
		{corev1.PodStatus{Phase: corev1.PodSucceeded, PodIP: "10.244.0.2"}, false},
		{corev1.PodStatus{Phase: corev1.PodFailed, PodIP: "10.244.0.2"}, false},
	} {
		if got := endpoint.Included(&corev1.Pod{Status: test.status}); got != test.want {
			t.Errorf("a Pod with the status %+v is included: %t", test.status, got)
		}
	}
}

// TestTriggered: the earliest change after the last one that is recorded; a Service's creation
// counts only if nothing is recorded.
func TestTriggered(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC) }
	ready := func(second int) *corev1.Pod {
		return &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{
			{Type: corev1.PodScheduled, LastTransitionTime: metav1.Time{Time: at(1)}},
			{Type: corev1.PodReady, LastTransitionTime: metav1.Time{Time: at(second)}},
		}}}
	}
	recorded := func(second int) map[string]string {
		return map[string]string{corev1.EndpointsLastChangeTriggerTime: at(second).Format(time.RFC3339Nano)}
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Time{Time: at(2)}}}
	pods := []*corev1.Pod{ready(9), ready(5), ready(7)}
	for _, test := range []struct {
		before []map[string]string
		want   time.Time
	}{
		{nil, at(2)},
		{[]map[string]string{nil}, at(5)},
		{[]map[string]string{recorded(3), recorded(5)}, at(7)},
		{[]map[string]string{recorded(9)}, time.Time{}},
		{[]map[string]string{{corev1.EndpointsLastChangeTriggerTime: "yesterday"}}, at(5)},
	} {
		if got := endpoint.Triggered(service, pods, test.before); !got.Equal(test.want) {
			t.Errorf("after %v the trigger is %s, not %s", test.before, got, test.want)
		}
	}
}

// TestPortsKey: the order does not matter, and all else does.
func TestPortsKey(t *testing.T) {
	t.Parallel()
	a := discoveryv1.EndpointPort{Name: new("a"), Port: new(int32(80)), Protocol: new(corev1.ProtocolTCP)}
	b := discoveryv1.EndpointPort{Name: new("b"), Port: new(int32(80)), Protocol: new(corev1.ProtocolTCP)}
	if x, y := endpoint.PortsKey([]discoveryv1.EndpointPort{a, b}), endpoint.PortsKey([]discoveryv1.EndpointPort{b, a}); x != y {
		t.Errorf("%q is not %q", x, y)
	}
	seen := map[string]bool{}
	for _, p := range []discoveryv1.EndpointPort{a, b, {Name: a.Name, Port: a.Port}, {Name: a.Name}, {Port: a.Port}, {Name: new("")}, {}} {
		key := endpoint.PortsKey([]discoveryv1.EndpointPort{p})
		if seen[key] {
			t.Errorf("%q is the key of two ports", key)
		}
		seen[key] = true
	}
}
