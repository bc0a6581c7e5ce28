package network_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/network"
)

// TestIsElsewhere: the node asks for a probe or a hook, so that its own host is the Pod's only
// where the Pod uses the node's network.
func TestIsElsewhere(t *testing.T) {
	t.Parallel()
	for host, want := range map[string][2]bool{ // of a Pod of its own network, and of one on the node's
		"10.244.0.2": {false, false}, "10.244.0.9": {true, true}, "10.96.0.50": {true, true}, "example.com": {true, true},
		"127.0.0.1": {true, false}, "localhost": {true, false}, "10.0.0.1": {true, false},
	} {
		for i, onHost := range [...]bool{false, true} {
			pod := &corev1.Pod{}
			pod.Spec.HostNetwork, pod.Status.PodIP, pod.Status.HostIP = onHost, "10.244.0.2", "10.0.0.1"
			if got := network.ClientOf(pod).IsElsewhere(host); got != want[i] {
				t.Errorf("%s is elsewhere for a Pod that uses the node's network (%t): %t, want %t", host, onHost, got, want[i])
			}
		}
	}
}
