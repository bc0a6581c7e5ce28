package scheduler

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	const noVictims = " preemption: 0/%[1]d nodes are available: %[1]d No preemption victims found for incoming pod."
	const notHelpful = " preemption: 0/%[1]d nodes are available: %[1]d Preemption is not helpful for scheduling."
	fails := func(pod, format string, nodes any) string {
		message := fmt.Sprintf(format, nodes)
		return fmt.Sprintf("update Pod default/%s status\nevent Pod default/%s Warning FailedScheduling %q\n", pod, pod, message)
	}
	binds := func(pods ...string) string {
		updates, events := "", ""
		for i := 0; i < len(pods); i += 2 {
			updates += fmt.Sprintf("update Pod default/%s binding\n", pods[i])
			events += fmt.Sprintf("event Pod default/%[1]s Normal Scheduled \"Successfully assigned default/%[1]s to %[2]s\"\n", pods[i], pods[i+1])
		}
		return updates + events
	}
	tests := []struct {
		name  string
		pods  []*corev1.Pod
		nodes []fixture
		want  string
	}{
		{
			name: "ties go by the node's name",
			pods: []*corev1.Pod{pod("a")}, nodes: []fixture{node("node-2"), node("node-1")},
			want: binds("a", "node-1"),
		}, {
			name:  "Pods of one owner spread over the nodes with most room",
			pods:  []*corev1.Pod{pod("a", ownedBy("rs")), pod("b", ownedBy("rs")), pod("c", ownedBy("rs")), pod("d", ownedBy("rs"))},
			nodes: []fixture{with(node("node-1"), pod("x", requesting("cpu", "1"))), node("node-2"), node("node-3")},
			want:  binds("a", "node-2", "b", "node-3", "c", "node-2", "d", "node-3"),
		}, {
			name:  "the least allocated node comes first",
			pods:  []*corev1.Pod{pod("a")},
			nodes: []fixture{with(node("node-1"), pod("x"), pod("y")), with(node("node-2"), pod("z"))},
			want:  binds("a", "node-2"),
		}, {
			name:  "higher priority goes first",
			pods:  []*corev1.Pod{pod("low", requesting("cpu", "4")), pod("high", requesting("cpu", "4"), ofPriority(1000))},
			nodes: []fixture{node("node-1")},
			want: "update Pod default/high binding\nupdate Pod default/low status\n" +
				"event Pod default/high Normal Scheduled \"Successfully assigned default/high to node-1\"\n" +
				"event Pod default/low Warning FailedScheduling \"0/1 nodes are available: 1 Insufficient cpu. preemption: " +
				"0/1 nodes are available: 1 No preemption victims found for incoming pod.\"\n",
		}, {
			name:  "POD-025 too large for what is left",
			pods:  []*corev1.Pod{pod("a", requesting("cpu", "3", "memory", "1Gi"))},
			nodes: []fixture{with(node("node-1"), pod("x", requesting("cpu", "2"))), with(node("node-2"), pod("y", requesting("cpu", "1500m")))},
			want:  fails("a", "0/%[1]d nodes are available: %[1]d Insufficient cpu."+noVictims, 2),
		}, {
			name:  "POD-025 too large for any node",
			pods:  []*corev1.Pod{pod("a", requesting("cpu", "1000", "memory", "1Ti"))},
			nodes: []fixture{node("node-1"), node("node-2"), node("node-3")},
			want:  fails("a", "0/%[1]d nodes are available: %[1]d Insufficient cpu, %[1]d Insufficient memory."+notHelpful, 3),
		}, {
			name: "no nodes at all",
			pods: []*corev1.Pod{pod("a")},
			want: fails("a", "no nodes available to schedule pods%[1]s", ""),
		}, {
			name:  "a node is full of Pods",
			pods:  []*corev1.Pod{pod("k"), pod("l")},
			nodes: []fixture{with(node("node-1"), pod("a"), pod("b"), pod("c"), pod("d"), pod("e"), pod("f"), pod("g"), pod("h"), pod("i"))},
			want: "update Pod default/k binding\nupdate Pod default/l status\n" +
				"event Pod default/k Normal Scheduled \"Successfully assigned default/k to node-1\"\n" +
				"event Pod default/l Warning FailedScheduling \"0/1 nodes are available: 1 Too many pods. preemption: " +
				"0/1 nodes are available: 1 No preemption victims found for incoming pod.\"\n",
		}, {
			name:  "each node refuses for its own first reason",
			pods:  []*corev1.Pod{pod("a", selecting("disk", "ssd"))},
			nodes: []fixture{node("node-1", cordoned), node("node-2", tainted(corev1.TaintEffectNoSchedule)), node("node-3")},
			want: fails("a", "0/%[1]d nodes are available: 1 node(s) didn't match Pod's node affinity/selector, "+
				"1 node(s) had untolerated taint(s), 1 node(s) were unschedulable."+notHelpful, 3),
		}, {
			name:  "tolerations and selectors are met",
			pods:  []*corev1.Pod{pod("a", tolerating("dedicated"), selecting("disk", "ssd"))},
			nodes: []fixture{node("node-1"), node("node-2", tainted(corev1.TaintEffectNoSchedule), labelled("disk", "ssd"))},
			want:  binds("a", "node-2"),
		}, {
			name:  "cordoned nodes take Pods that tolerate it",
			pods:  []*corev1.Pod{pod("a", tolerating(corev1.TaintNodeUnschedulable))},
			nodes: []fixture{node("node-1", cordoned)},
			want:  binds("a", "node-1"),
		}, {
			name:  "PreferNoSchedule is avoided, not refused",
			pods:  []*corev1.Pod{pod("a"), pod("b", onNode("node-1"))},
			nodes: []fixture{node("node-1", tainted(corev1.TaintEffectPreferNoSchedule)), with(node("node-2"), pod("x"))},
			want:  binds("a", "node-2", "b", "node-1"),
		}, {
			name:  "preferred affinity outweighs load",
			pods:  []*corev1.Pod{pod("a", preferring(10, "gpu"))},
			nodes: []fixture{node("node-1"), with(node("node-2", labelled("gpu", "yes")), pod("x"))},
			want:  binds("a", "node-2"),
		}, {
			name: "DS-011 a daemon Pod waits for its own node",
			pods: []*corev1.Pod{
				pod("a", onNode("node-2"), requesting("cpu", "3"), ownedBy("ds")),
				pod("b", onNode("node-1"), requesting("cpu", "3"), ownedBy("ds")),
			},
			nodes: []fixture{node("node-1"), with(node("node-2"), pod("x", requesting("cpu", "2"))), node("node-3")},
			want: "update Pod default/a status\nupdate Pod default/b binding\n" +
				"event Pod default/a Warning FailedScheduling \"0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy " +
				"plugin(s) [NodeAffinity]. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, " +
				"2 Preemption is not helpful for scheduling.\"\n" +
				"event Pod default/b Normal Scheduled \"Successfully assigned default/b to node-1\"\n",
		}, {
			name:  "host ports are given once",
			pods:  []*corev1.Pod{pod("a", onHostPort(8080)), pod("b", onHostPort(8080)), pod("c", onHostPort(8080))},
			nodes: []fixture{node("node-1"), with(node("node-2"), pod("x", onHostPort(8080))), node("node-3")},
			want: "update Pod default/a binding\nupdate Pod default/b binding\nupdate Pod default/c status\n" +
				"event Pod default/a Normal Scheduled \"Successfully assigned default/a to node-1\"\n" +
				"event Pod default/b Normal Scheduled \"Successfully assigned default/b to node-3\"\n" +
				"event Pod default/c Warning FailedScheduling \"0/3 nodes are available: 3 node(s) didn't have free ports for the requested " +
				"pod ports. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.\"\n",
		}, {
			name:  "extended resources",
			pods:  []*corev1.Pod{pod("a", requesting("example.com/gpu", "1")), pod("b", requesting("example.com/gpu", "1"))},
			nodes: []fixture{node("node-1"), node("node-2", offering("example.com/gpu", "1"))},
			want: "update Pod default/a binding\nupdate Pod default/b status\n" +
				"event Pod default/a Normal Scheduled \"Successfully assigned default/a to node-2\"\n" +
				"event Pod default/b Warning FailedScheduling \"0/2 nodes are available: 2 Insufficient example.com/gpu. preemption: " +
				"0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.\"\n",
		}, {
			name: "classes share what is left",
			pods: []*corev1.Pod{
				pod("a", requesting("cpu", "3"), ownedBy("x")),
				pod("b", requesting("cpu", "2"), ownedBy("y")),
				pod("c", requesting("cpu", "1"), ownedBy("x")),
			},
			nodes: []fixture{node("node-1"), node("node-2")},
			want:  binds("a", "node-1", "b", "node-2", "c", "node-2"),
		}, {
			name: "passed over",
			pods: []*corev1.Pod{
				pod("bound", func(p *corev1.Pod) { p.Spec.NodeName = "node-9" }),
				pod("gated", func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}} }),
				pod("going", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: noon} }),
				pod("another", func(p *corev1.Pod) { p.Spec.SchedulerName = "mine" }), // DS-014
			},
			nodes: []fixture{node("node-1")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := laws.Check(t, Reconcile, Snapshot{Pods: tt.pods, Cluster: cluster(tt.nodes...), Now: noon}).String()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReconcile_Bound(t *testing.T) {
	t.Parallel()
	failed := corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, ObservedGeneration: 1,
		LastTransitionTime: metav1.Time{Time: noon}, Reason: "Unschedulable", Message: "no nodes available to schedule pods",
	}
	p := pod("a")
	plan := Reconcile(Snapshot{Pods: []*corev1.Pod{p}, Now: noon.Add(time.Millisecond)})

	t.Run("POD-025 the condition says why", func(t *testing.T) {
		want := pod("a")
		want.Status.Conditions = []corev1.PodCondition{failed}
		if diff := cmp.Diff(want, plan.Updates[0].Object); diff != "" {
			t.Errorf("Pod (-want +got):\n%s", diff)
		}
	})
	p = plan.Updates[0].Object.(*corev1.Pod)
	t.Run("the same failure is not news", func(t *testing.T) {
		if got := Reconcile(Snapshot{Pods: []*corev1.Pod{p}, Now: noon.Add(time.Minute)}); !got.Empty() {
			t.Errorf("plan = %v, want none", got)
		}
	})
	t.Run("another failure keeps the time of the first", func(t *testing.T) {
		got := Reconcile(Snapshot{Pods: []*corev1.Pod{p}, Cluster: cluster(node("node-1", cordoned)), Now: noon.Add(time.Minute)})
		want := failed
		want.Message = "0/1 nodes are available: 1 node(s) were unschedulable. preemption: " +
			"0/1 nodes are available: 1 Preemption is not helpful for scheduling."
		if diff := cmp.Diff([]corev1.PodCondition{want}, got.Updates[0].Object.(*corev1.Pod).Status.Conditions); diff != "" {
			t.Errorf("conditions (-want +got):\n%s", diff)
		}
	})
	t.Run("POD-025 until capacity appears", func(t *testing.T) {
		got := Reconcile(Snapshot{Pods: []*corev1.Pod{p}, Cluster: cluster(node("node-1")), Now: noon.Add(time.Minute)})
		want := pod("a")
		want.Spec.NodeName = "node-1"
		want.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
			LastTransitionTime: metav1.Time{Time: noon.Add(time.Minute)}}}
		if diff := cmp.Diff(want, got.Updates[0].Object); diff != "" {
			t.Errorf("Pod (-want +got):\n%s", diff)
		}
	})
}

func TestReconcile_Limit(t *testing.T) {
	t.Parallel()
	s := Snapshot{Cluster: cluster(node("node-1")), Limit: 2, Now: noon}
	old := pod("huge", requesting("cpu", "9"))
	s.Pods = append(s.Pods, Reconcile(Snapshot{Pods: []*corev1.Pod{old}, Cluster: s.Cluster, Now: noon}).Updates[0].Object.(*corev1.Pod),
		pod("a"), pod("b"), pod("c"))
	const want = `update Pod default/a binding
update Pod default/b binding
event Pod default/a Normal Scheduled "Successfully assigned default/a to node-1"
event Pod default/b Normal Scheduled "Successfully assigned default/b to node-1"
wake at 2026-01-02T12:00:00Z
`
	if diff := cmp.Diff(want, laws.Check(t, Reconcile, s).String()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	s.Pods = append(s.Pods[:1], s.Pods[3])
	if p := Reconcile(s); !p.WakeAt.IsZero() || len(p.Updates) != 1 {
		t.Errorf("plan for the rest is %v, want one Pod bound and no wakeup", p)
	}
}

// TestReconcile_Fits schedules random Pods on random nodes: no node gets more than it has, and no Pod
// that fits somewhere is left over.
func TestReconcile_Fits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var s Snapshot
		var nodes []fixture
		s.Now = noon
		for i := range rapid.IntRange(0, 6).Draw(r, "nodes") {
			option := rapid.SampledFrom([]nodeOption{
				labelled("disk", "ssd"), cordoned, tainted(corev1.TaintEffectNoSchedule), tainted(corev1.TaintEffectPreferNoSchedule),
				offering("example.com/gpu", "2"), offering("cpu", "1"),
			}).Draw(r, "node")
			nodes = append(nodes, node(fmt.Sprintf("node-%d", i), option))
		}
		s.Cluster = cluster(nodes...)
		for i := range rapid.IntRange(0, 40).Draw(r, "pods") {
			p := pod(fmt.Sprintf("pod-%d", i))
			for _, option := range rapid.SliceOfN(rapid.SampledFrom([]podOption{
				requesting("cpu", "500m"), requesting("cpu", "2", "memory", "1Gi"), requesting("example.com/gpu", "1"), ownedBy("x"), ownedBy("y"),
				onHostPort(80), selecting("disk", "ssd"), tolerating("dedicated"), onNode("node-1"), ofPriority(5),
			}), 0, 3).Draw(r, "pod") {
				option(p)
			}
			s.Pods = append(s.Pods, p)
		}
		full := map[string]Node{}
		for _, n := range nodes {
			full[n.Name] = NewNode(n.Node)
		}
		var left []*corev1.Pod
		for _, u := range laws.Check(r, Reconcile, s).Updates {
			p := u.Object.(*corev1.Pod)
			n, bound := full[p.Spec.NodeName]
			if !bound {
				left = append(left, p)
				continue
			}
			if refused := alone(p).check(&n).reasons; len(refused) > 0 {
				r.Fatalf("%s was bound to %s although %s", p.Name, p.Spec.NodeName, refused)
			}
			n.add(Requests(p), hostPorts(p))
			full[p.Spec.NodeName] = n
		}
		for _, p := range left {
			for _, n := range full {
				if len(alone(p).check(&n).reasons) == 0 {
					r.Fatalf("%s was left over although it fits on %s", p.Name, n.Object.Name)
				}
			}
		}
	})
}

// alone returns the class of a Pod in a cluster without other Pods.
func alone(p *corev1.Pod) *class { return newBatch(Snapshot{Cluster: NewCluster()}).newClass(p) }
