package history_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/test/history"
)

// daemons makes the DaemonSet d, which selects app=d and may surge by this many.
func daemons(surge string) *appsv1.DaemonSet {
	n := intstr.Parse(surge)
	return &appsv1.DaemonSet{ObjectMeta: meta("d", ""), Spec: appsv1.DaemonSetSpec{
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "d"}},
		UpdateStrategy: appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: &n},
		},
	}}
}

// daemon makes a Pod of d for a node, bound to it unless the state is empty.
func daemon(name, node, state string) *corev1.Pod {
	p := pod(name, "d", state)
	p.OwnerReferences[0].Kind, p.Labels = "DaemonSet", map[string]string{"app": "d"}
	if state != "" {
		p.Spec.NodeName = node
		return p
	}
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
		}}},
	}}}
	return p
}

func TestDaemonSets(t *testing.T) {
	t.Parallel()
	ended := daemon("a", "n1", "failed")
	ended.DeletionTimestamp = &metav1.Time{Time: start}
	stray := daemon("a", "n1", "ready")
	stray.Labels = nil
	run(t, history.DaemonSets, []row{
		{"one a node", log(created(daemons("0")), created(daemon("a", "n1", "")), updated(daemon("a", "n1", "ready")), created(daemon("b", "n2", ""))), nil},
		{"two for a node", log(created(daemons("0")), created(daemon("a", "n1", "")), created(daemon("b", "n1", ""))), []string{
			"revision 3, pods/default/b: is Pod 2 of DaemonSet d for n1",
		}},
		{"two on a node", log(created(daemons("0")), created(daemon("a", "n1", "ready")), created(daemon("b", "n1", ""))), []string{
			"revision 3, pods/default/b: is Pod 2 of DaemonSet d for n1",
		}},
		{"beside one that still runs", log(created(daemons("0")), created(daemon("a", "n1", "terminating")), created(daemon("b", "n1", ""))), []string{
			"revision 3, pods/default/b: is Pod 2 of DaemonSet d for n1",
		}},
		{"beside one that has ended and goes", log(created(daemons("0")), created(ended), created(daemon("b", "n1", ""))), nil},
		{"in place of one that is gone", log(created(daemons("0")), created(daemon("a", "n1", "ready")), deleted(daemon("a", "n1", "ready")), created(daemon("b", "n1", ""))), nil},
		{"in place of one that it does not select any more", log(created(daemons("0")), created(stray), created(daemon("b", "n1", ""))), nil},
		{"a surge", log(created(daemons("10%")), created(daemon("a", "n1", "ready")), created(daemon("b", "n1", ""))), nil},
		{"a surge of two", log(created(daemons("2")), created(daemon("a", "n1", "ready")), created(daemon("b", "n1", "")), created(daemon("c", "n1", ""))), []string{
			"revision 4, pods/default/c: is Pod 3 of DaemonSet d for n1",
		}},
		{"for nobody", log(created(daemons("0")), deleted(daemons("0")), created(daemon("a", "n1", ""))), []string{
			"revision 3, pods/default/a: created for the DaemonSet uid-of-d, which does not exist",
		}},
	})
}

func TestConverged_DaemonSets(t *testing.T) {
	t.Parallel()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", UID: "n1"}}
	told := func(n int32) *appsv1.DaemonSet {
		ds := daemons("0")
		ds.Status = appsv1.DaemonSetStatus{DesiredNumberScheduled: 1, CurrentNumberScheduled: n, UpdatedNumberScheduled: n, NumberAvailable: n}
		return ds
	}
	check := func(h history.History) []history.Violation { return history.Converged(history.Live(h)) }
	run(t, check, []row{
		{"done", log(created(node), created(told(1)), created(daemon("a", "n1", "ready"))), nil},
		{"not done", log(created(node), created(told(0))), []string{
			"revision 0, daemonsets.apps/default/d: has 0 Pods; its status says 0 of 1 nodes, 0 of them updated and 0 available, and 0 too many, of generation 0 of 0",
		}},
	})
}
