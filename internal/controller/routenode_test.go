package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/outage"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestRoute_Node shows which controllers besides a node's own and the scheduler sync it after a
// change.
func TestRoute_Node(t *testing.T) {
	t.Parallel()
	node := func(changes ...func(*corev1.Node)) *corev1.Node {
		return with(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "node"}}, changes...)
	}
	ready := func(status corev1.ConditionStatus) func(*corev1.Node) {
		return func(n *corev1.Node) {
			n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}
		}
	}
	tainted := func(key string, effect corev1.TaintEffect) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect}) }
	}
	out := func(n *corev1.Node) {
		n.Annotations = map[string]string{outage.Record: "failed 2026-01-02T12:00:00Z"}
	}
	faulty := func(n *corev1.Node) { n.Annotations = map[string]string{outage.Annotation: "failed"} }
	zoned := func(n *corev1.Node) { n.Labels = map[string]string{corev1.LabelTopologyZone: "z"} }
	all := look("nodedisruption", wakeup.HousekeepingLock)
	pods, evictions := look("nodepods", "node"), look("tainteviction", "node")
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a heartbeat", wakeup.Diff{Old: node(ready("True")), New: node(ready("True"))}, nil},
		{"a fault, which concerns the node's own controller alone", wakeup.Diff{Old: node(), New: node(faulty)}, nil},
		{"a new node that is not ready yet", wakeup.Diff{New: node()}, []wakeup.Wake{pods}},
		{"a new node", wakeup.Diff{New: node(ready("True"))}, []wakeup.Wake{all, pods}},
		{"a new node with a taint", wakeup.Diff{New: node(tainted("a", "NoExecute"))}, []wakeup.Wake{pods, evictions}},
		{"a node that goes", wakeup.Diff{Old: node(ready("True"))}, []wakeup.Wake{all}},
		{"an outage begins", wakeup.Diff{Old: node(), New: node(out)}, []wakeup.Wake{pods}},
		{"a node is lost", wakeup.Diff{Old: node(ready("True")), New: node(ready("Unknown"))}, []wakeup.Wake{all, pods}},
		{"it is tainted", wakeup.Diff{Old: node(), New: node(tainted("node.kubernetes.io/unreachable", "NoExecute"))}, []wakeup.Wake{all, evictions}},
		{"by somebody else", wakeup.Diff{Old: node(), New: node(tainted("a", "NoExecute"))}, []wakeup.Wake{evictions}},
		{"a taint goes", wakeup.Diff{Old: node(tainted("a", "NoExecute")), New: node()}, []wakeup.Wake{evictions}},
		{"a taint that only keeps away", wakeup.Diff{Old: node(), New: node(tainted("a", "NoSchedule"))}, nil},
		{"out of service", wakeup.Diff{Old: node(), New: node(tainted("node.kubernetes.io/out-of-service", "NoSchedule"))}, []wakeup.Wake{pods}},
		{"another zone", wakeup.Diff{Old: node(), New: node(zoned)}, []wakeup.Wake{all}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []wakeup.Wake
			for _, w := range woken(tt.change) {
				switch w.Controller {
				case names.NodeDisruption, names.NodePods, names.TaintEviction:
					got = append(got, w)
				}
			}
			if diff := cmp.Diff(inOrder(tt.want), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("woken (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRoute_Tolerations: the tolerations of a Pod on a node concern the evictions there.
func TestRoute_Tolerations(t *testing.T) {
	t.Parallel()
	tolerating := func(p *corev1.Pod) { p.Spec.Tolerations = []corev1.Toleration{{Key: "a"}} }
	evictions := wakeup.Wake{Controller: names.TaintEviction, Resource: "nodes", Name: "node-1"}
	for name, tt := range map[string]struct {
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		"changed":             {wakeup.Diff{Old: pod(onNode), New: pod(onNode, tolerating)}, []wakeup.Wake{evictions, look("kubelet", "pod")}},
		"as they were":        {wakeup.Diff{Old: pod(onNode, tolerating), New: pod(onNode, tolerating)}, []wakeup.Wake{look("kubelet", "pod")}},
		"of a Pod that waits": {wakeup.Diff{Old: pod(), New: pod(tolerating)}, []wakeup.Wake{look("scheduler", "pod")}},
	} {
		if diff := cmp.Diff(inOrder(tt.want), woken(tt.change)); diff != "" {
			t.Errorf("%s: woken (-want +got):\n%s", name, diff)
		}
	}
}
