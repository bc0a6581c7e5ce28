package daemonset_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// made is the first Pod that a plan makes for a DaemonSet.
func made(ds *appsv1.DaemonSet) *corev1.Pod {
	return daemonset.Reconcile(snapshot(ds, nodes(1))).Creates[0].Object.(*corev1.Pod)
}

func TestDS011_APodIsForItsNode(t *testing.T) {
	t.Parallel()
	tolerate := func(key string, effect corev1.TaintEffect) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
	}
	own := corev1.Toleration{Key: "own", Operator: corev1.TolerationOpExists}
	common := []corev1.Toleration{
		tolerate("node.kubernetes.io/not-ready", "NoExecute"),            // DS-015
		tolerate("node.kubernetes.io/unreachable", "NoExecute"),          // DS-016
		tolerate("node.kubernetes.io/disk-pressure", "NoSchedule"),       // DS-017
		tolerate("node.kubernetes.io/memory-pressure", "NoSchedule"),     // DS-017
		tolerate("node.kubernetes.io/pid-pressure", "NoSchedule"),        // DS-018
		tolerate("node.kubernetes.io/unschedulable", "NoSchedule"),       // DS-019
		tolerate("node.kubernetes.io/network-unavailable", "NoSchedule"), // DS-020
	}
	want := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", GenerateName: "d-", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set(), ofSet)},
			Labels: map[string]string{"app": "d", "controller-revision-hash": hash, "pod-template-generation": "1"},
		},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "c", Image: "a"}}, Tolerations: common[:6],
			Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: named("n0")}},
		},
	}
	if d := cmp.Diff(want, made(set())); d != "" {
		t.Errorf("DS-011 the Pod (-want +got):\n%s", d)
	}

	ds := set(func(ds *appsv1.DaemonSet) {
		spec := &ds.Spec.Template.Spec
		spec.HostNetwork, spec.SchedulerName = true, "mine"
		limited := common[1]
		limited.TolerationSeconds = new(int64(5))
		spec.Tolerations = []corev1.Toleration{own, limited}
		spec.Affinity = &corev1.Affinity{
			PodAntiAffinity: &corev1.PodAntiAffinity{},
			NodeAffinity: &corev1.NodeAffinity{
				PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1}},
				RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
					{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{"n0"}}}},
				}},
			},
		}
	})
	before := ds.DeepCopy()
	got := made(ds).Spec
	wantTolerations := append([]corev1.Toleration{own, common[1], common[0]}, common[2:]...)
	if d := cmp.Diff(wantTolerations, got.Tolerations); d != "" {
		t.Errorf("DS-020 DS-021 tolerations (-want +got):\n%s", d)
	}
	wantAffinity := before.Spec.Template.Spec.Affinity.DeepCopy()
	wantAffinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = named("n0")
	if d := cmp.Diff(wantAffinity, got.Affinity); d != "" {
		t.Errorf("DS-012 affinity (-want +got):\n%s", d)
	}
	if got.SchedulerName != "mine" {
		t.Errorf("DS-014 the scheduler is %q", got.SchedulerName)
	}
	if d := cmp.Diff(before, ds); d != "" {
		t.Errorf("DS-012 the DaemonSet was changed (-before +after):\n%s", d)
	}
}

func TestTargetNode(t *testing.T) {
	t.Parallel()
	asking := func(required *corev1.NodeSelector) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}}}
	}
	several := named("a")
	several.NodeSelectorTerms[0].MatchFields[0].Values = []string{"a", "b"}
	not := named("a")
	not.NodeSelectorTerms[0].MatchFields[0].Operator = corev1.NodeSelectorOpNotIn
	second := named("b")
	second.NodeSelectorTerms = append([]corev1.NodeSelectorTerm{{}}, second.NodeSelectorTerms...)
	for _, row := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"bound", pod("p", "n0"), "n0"},
		{"waiting", pod("p", "n0", waiting), "n0"},
		{"no affinity", &corev1.Pod{}, ""},
		{"no node affinity", &corev1.Pod{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{}}}, ""},
		{"nothing required", asking(nil), ""},
		{"no terms", asking(&corev1.NodeSelector{}), ""},
		{"several nodes", asking(several), ""},
		{"not a node", asking(not), ""},
		{"in a later term", asking(second), "b"},
	} {
		if got := podstate.TargetNode(row.pod); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func TestConcerns(t *testing.T) {
	t.Parallel()
	old := func(n *corev1.Node) { n.CreationTimestamp = metav1.NewTime(now.Add(-24 * time.Hour)) }
	young := func(n *corev1.Node) { n.CreationTimestamp = metav1.NewTime(now) }
	tolerated, repels, expels := node("n", old), node("n", old, tainted("key", "NoSchedule")), node("n", old, tainted("key", "NoExecute"))
	has := []*corev1.Pod{pod("p", "n")}
	for _, row := range []struct {
		name         string
		node         *corev1.Node
		pods         []*corev1.Pod
		misscheduled int32
		want         bool
	}{
		{"DS-001 a node that is to have a Pod", tolerated, nil, 0, true},
		{"a node that has one", tolerated, has, 0, false},
		{"and came back under its name", node("n", young), has, 0, true},
		{"and may be one of those that should not", tolerated, has, 1, true},
		{"a node that is to have none", repels, nil, 1, false},
		{"and has one, which stays", repels, has, 0, true},
		{"and has one, which goes", expels, has, 0, true},
	} {
		ds := set(status(func(s *appsv1.DaemonSetStatus) { s.NumberMisscheduled = row.misscheduled }))
		if got := daemonset.Concerns(ds, row.node, row.pods); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
