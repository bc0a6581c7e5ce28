package controller_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/wakeup"
)

// TestRoute_DaemonSet shows which changes a DaemonSet is synced for.
func TestRoute_DaemonSet(t *testing.T) {
	t.Parallel()
	node := func(changes ...func(*corev1.Node)) *corev1.Node {
		return with(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", UID: "node"}}, changes...)
	}
	tainted := func(key string, effect corev1.TaintEffect) func(*corev1.Node) {
		return func(n *corev1.Node) { n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: effect}) }
	}
	labelled := func(n *corev1.Node) { n.Labels = map[string]string{"disk": "ssd"} }
	cordoned := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "agent", UID: "ds"}}
	revision := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "agent-1", UID: "revision", OwnerReferences: []metav1.OwnerReference{ref("DaemonSet", "ds", true)},
	}}
	mine := func(changes ...func(*corev1.Pod)) *corev1.Pod {
		return pod(append(changes, owned(ref("DaemonSet", "ds", true)))...)
	}
	ready := func(since metav1.Time) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: since}}
		}
	}
	noted := func(p *corev1.Pod) { p.Annotations = map[string]string{"a": "b"} }
	itself, every := []wakeup.Wake{look("daemonset", "ds")}, []wakeup.Wake{look("daemonsetnode", "node")}
	tests := []struct {
		name   string
		change wakeup.Diff
		want   []wakeup.Wake
	}{
		{"a new DaemonSet", wakeup.Diff{New: ds}, itself},
		{"what its controller writes into it", wakeup.Diff{Old: ds, New: ds, Controller: names.DaemonSet}, nil},
		{"its Pod comes, as it has to count it", wakeup.Diff{New: mine(), Controller: names.DaemonSet}, itself},
		{"its Pod is bound", wakeup.Diff{Old: mine(), New: mine(onNode)}, itself},
		{"its Pod becomes ready", wakeup.Diff{Old: mine(onNode), New: mine(onNode, ready(now))}, itself},
		{"its Pod was unready for a moment", wakeup.Diff{Old: mine(ready(metav1.Time{})), New: mine(ready(now))}, itself},
		{"its Pod fails", wakeup.Diff{Old: mine(), New: mine(failed)}, itself},
		{"its Pod is deleted", wakeup.Diff{Old: mine(), New: mine(terminating)}, itself},
		{"its Pod is gone", wakeup.Diff{Old: mine()}, itself},
		{"its Pod is relabelled", wakeup.Diff{Old: mine(), New: mine(relabelled)}, itself},
		{"its Pod is let go", wakeup.Diff{Old: mine(), New: pod()}, itself},
		{"what does not matter to it", wakeup.Diff{Old: mine(), New: mine(noted)}, nil},
		{"somebody deletes its revision", wakeup.Diff{Old: revision}, itself},
		{"its controller does", wakeup.Diff{Old: revision, Controller: names.DaemonSet}, nil},
		{"DS-001 a new node", wakeup.Diff{New: node()}, every},
		{"DS-009 a node with other labels", wakeup.Diff{Old: node(), New: node(labelled)}, every},
		{"a taint", wakeup.Diff{Old: node(), New: node(tainted("a", "NoSchedule"))}, every},
		{"another effect", wakeup.Diff{Old: node(tainted("a", "NoExecute")), New: node(tainted("a", "NoSchedule"))}, every},
		{"what becomes a taint later", wakeup.Diff{Old: node(), New: node(cordoned)}, nil},
		{"DS-001 a node that goes", wakeup.Diff{Old: node()}, []wakeup.Wake{look("daemonsetgone", wakeup.HousekeepingLock)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []wakeup.Wake
			for _, w := range woken(tt.change) {
				switch w.Controller {
				case names.DaemonSet, names.DaemonSetNode, names.DaemonSetGone:
					got = append(got, w)
				}
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("woken (-want +got):\n%s", diff)
			}
		})
	}
}
