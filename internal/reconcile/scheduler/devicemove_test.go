package scheduler

import (
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Only a change that may help Pods makes the waiting ones be tried again: among a thousand Pods
// that each get their own claim, no Pod helps another.
func TestMovesClaim(t *testing.T) {
	t.Parallel()
	owned := func(c *resourcev1.ResourceClaim) {
		c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p", UID: "p", Controller: new(true)}}
	}
	free, allocated := deviceClaim("c"), deviceClaim("c", has("node-1", "gpu-0"))
	for _, tt := range []struct {
		name       string
		old, claim *resourcev1.ResourceClaim
		want       bool
	}{
		{"it is new", nil, free, true},
		{"it is gone", allocated, nil, true},
		{"it has given its devices back", allocated, free, true},
		{"it has devices that others may share", free, allocated, true},
		{"a Pod's own has its devices", deviceClaim("c", owned), deviceClaim("c", owned, has("node-1", "gpu-0"), reservedFor(1)), false},
		{"one more Pod has it", allocated, deviceClaim("c", has("node-1", "gpu-0"), reservedFor(1)), false},
		{"one Pod fewer has it", deviceClaim("c", has("node-1", "gpu-0"), reservedFor(2)), deviceClaim("c", has("node-1", "gpu-0"), reservedFor(1)), false},
		{"it was full", deviceClaim("c", has("node-1", "gpu-0"), reservedFor(256)), deviceClaim("c", has("node-1", "gpu-0"), reservedFor(255)), true},
		{"nothing of it has changed", free, free, false},
	} {
		if got := MovesClaim(tt.old, tt.claim); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
