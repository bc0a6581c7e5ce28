package kubelet

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// sliceOf has ready endpoints of Pods of these names.
func sliceOf(pods ...string) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: new("http"), Port: new(int32(80))}}}
	for i, pod := range pods {
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{fmt.Sprintf("10.244.%d.%d", i/250, i%250)}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod},
		})
	}
	return slice
}

// TestTurns: connections go to all endpoints alike, and those of a client with an affinity to one, as long as that is there.
func TestTurns(t *testing.T) {
	t.Parallel()
	s := service("default", "web", "10.96.0.20", nil)
	pods := []string{"canary", "a", "b", "c", "d", "e", "f", "g", "h", "i"}
	draws := func(behind *discoveryv1.EndpointSlice, client, connections int) map[string]int {
		got := map[string]int{}
		for n := range connections {
			c := Client{UID: fmt.Sprint("client-", client), Address: fmt.Sprint("10.128.0.", client), Node: "node-1"}
			d := through(s, &s.Spec.Ports[0], []*discoveryv1.EndpointSlice{behind}, connection{c, 3 * n})
			got[d.host.Pod]++
		}
		return got
	}
	for pod, n := range draws(sliceOf(pods...), 1, 10_000) {
		if n < 900 || n > 1100 {
			t.Errorf("%s got %d of 10,000 connections, of ten endpoints", pod, n)
		}
	}
	s.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
	all := map[string]bool{}
	for client := range 100 {
		got := draws(sliceOf(pods...), client, 20)
		if len(got) != 1 {
			t.Fatalf("client %d went to %v", client, got)
		}
		for pod := range got {
			all[pod] = true
			if pod == "i" {
				continue
			}
			if again := draws(sliceOf(pods[:9]...), client, 20); again[pod] != 20 {
				t.Errorf("client %d went to %s, and when another had gone to %v", client, pod, again)
			}
		}
	}
	if len(all) != len(pods) {
		t.Errorf("all clients went to %v", all)
	}
}
