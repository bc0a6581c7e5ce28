package scheduler

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestCluster_AddRemove(t *testing.T) {
	t.Parallel()
	c := cluster(node("node-1"))
	before := *c.sorted[0]
	pods := []*corev1.Pod{
		pod("a", requesting("cpu", "1", "example.com/gpu", "2"), onHostPort(80)),
		pod("b", onHostPort(81)),
		pod("c", ofPriority(7)),
	}
	for _, p := range pods {
		p.Spec.NodeName = "node-1"
		c.AddPod(p)
		c.AddPod(p) // counts once
	}
	kept := *c.sorted[0]
	for _, p := range pods {
		c.RemovePod(p)
		c.RemovePod(p)
	}
	after := *c.sorted[0]
	after.Fresh.Used.Scalar, after.Fresh.Ports = nil, nil
	after.Used.Scalar, after.Ports, after.pods = nil, nil, nil // zeros and empty lists mean the same as nil
	if diff := cmp.Diff(before, after, cmp.AllowUnexported(Node{})); diff != "" {
		t.Errorf("node after adding and removing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[corev1.ResourceName]int64{"example.com/gpu": 2}, kept.Used.Scalar); diff != "" {
		t.Errorf("a copy was changed (-want +got):\n%s", diff)
	}
	if n := len(c.groups) + len(c.byLabel) + len(c.byNamespace) + len(c.priorities); n > 0 {
		t.Errorf("%d entries of removed Pods are left", n)
	}
}
