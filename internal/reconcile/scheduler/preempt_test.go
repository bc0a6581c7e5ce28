package scheduler

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

func startedAgo(d time.Duration) podOption {
	return func(p *corev1.Pod) { p.Status.StartTime = &metav1.Time{Time: noon.Add(-d)} }
}

func nominatedTo(node string) podOption {
	return func(p *corev1.Pod) { p.Status.NominatedNodeName = node }
}

func never(p *corev1.Pod) { p.Spec.PreemptionPolicy = new(corev1.PreemptNever) }

// preempted is a Pod that is going because of another.
func preempted(p *corev1.Pod) {
	going(p)
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler}}
}

// scene is a snapshot in which the Pods on nodes and the pending ones can be found.
func scene(pods []*corev1.Pod, nodes ...fixture) Snapshot {
	w := &world{Pods: map[types.UID]*corev1.Pod{}}
	c := cluster(nodes...)
	for _, n := range nodes {
		for _, p := range n.pods {
			w.Pods[p.UID] = p
		}
	}
	for _, p := range pods {
		w.Pods[p.UID] = p
		c.SetPending(p)
	}
	return Snapshot{Pods: pods, Cluster: c, Related: w, Now: noon}
}

// protecting is a budget that allows a number of disruptions of an app. It counts the named Pods as
// already disrupted.
func protecting(app string, allowed int32, disrupted ...string) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: app}, Spec: policyv1.PodDisruptionBudgetSpec{Selector: selects(app)},
		Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed, DisruptedPods: map[string]metav1.Time{}},
	}
	for _, name := range disrupted {
		b.Status.DisruptedPods[name] = metav1.Time{Time: noon}
	}
	return b
}

// budgeting adds budgets.
func (s Snapshot) budgeting(budgets ...*policyv1.PodDisruptionBudget) Snapshot {
	w := *s.Related.(*world)
	w.PDBs = budgets
	s.Related = &w
	return s
}

// TestReconcile_SparesBudgets: a protected Pod stays if another can be preempted, and is preempted
// if not.
func TestReconcile_SparesBudgets(t *testing.T) {
	t.Parallel()
	cpu := func(name, amount string, options ...podOption) *corev1.Pod {
		return pod(name, append([]podOption{requesting("cpu", amount)}, options...)...)
	}
	web, other := cpu("web", "2", app("web"), ofPriority(1)), cpu("other", "2", app("db"), ofPriority(9))
	one := func() Snapshot {
		return scene([]*corev1.Pod{cpu("high", "2", ofPriority(100))}, with(node("node-1"), web, other))
	}
	two := func() Snapshot {
		return scene([]*corev1.Pod{cpu("high", "3", ofPriority(100))}, with(node("node-1"), web), with(node("node-2"), other))
	}
	everything := protecting("web", 0)
	everything.Spec.Selector = &metav1.LabelSelector{}
	tests := []struct {
		name   string
		s      Snapshot
		victim string
	}{
		{"without a budget the least important goes", one(), "web"},
		{"one that allows nothing has another go", one().budgeting(protecting("web", 0)), "other"},
		{"one that allows it does not", one().budgeting(protecting("web", 1)), "web"},
		{"nor one that selects others", one().budgeting(protecting("cache", 0)), "web"},
		{"nor one that selects nothing by demanding nothing", one().budgeting(everything), "web"},
		{"nor one that counts the Pod already", one().budgeting(protecting("web", 0, "web")), "web"},
		{"where both are protected, the least important goes", one().budgeting(protecting("web", 0), protecting("db", 0)), "web"},
		{"a node on which no budget is exceeded comes first", two().budgeting(protecting("web", 0)), "other"},
		{"whatever the priorities where none is", two().budgeting(protecting("web", 1)), "web"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			deletes := laws.Check(t, Reconcile, tt.s).Deletes
			if len(deletes) != 1 || deletes[0].Object.GetName() != tt.victim {
				t.Errorf("these go: %v; want %s", deletes, tt.victim)
			}
		})
	}
}

func TestReconcile_Preempts(t *testing.T) {
	t.Parallel()
	cpu := func(name, amount string, options ...podOption) *corev1.Pod {
		return pod(name, append([]podOption{requesting("cpu", amount)}, options...)...)
	}
	preempts := func(pod, node, message string, victims ...string) string {
		deletes, events := "", ""
		for _, v := range victims {
			deletes += fmt.Sprintf("delete Pod default/%s changed\n", v)
			events += fmt.Sprintf("event Pod default/%s Normal Preempted \"Preempted by pod uid-%s on node %s\"\n", v, pod, node)
		}
		return fmt.Sprintf("update Pod default/%s status\n%sevent Pod default/%s Warning FailedScheduling %q\n%s", pod, deletes, pod, message, events)
	}
	const short = "0/%d nodes are available: %d Insufficient cpu."
	one, two, three := fmt.Sprintf(short, 1, 1), fmt.Sprintf(short, 2, 2), fmt.Sprintf(short, 3, 3)
	high := cpu("high", "3", ofPriority(100))
	tests := []struct {
		name string
		s    Snapshot
		want string
	}{
		{"who is less important makes room", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("low", "2"))), preempts("high", "node-1", one, "low")},
		{"an equal does not", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("equal", "2", ofPriority(100)))),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"" + one + " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.\"\n"},
		{"nobody goes where that would not be enough", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("low", "1"), cpu("equal", "2", ofPriority(100)))),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"" + one + " preemption: 0/1 nodes are available: 1 Insufficient cpu.\"\n"},
		{"nor for a Pod that is never to preempt", scene([]*corev1.Pod{cpu("high", "3", ofPriority(100), never)}, with(node("node-1"), cpu("low", "2"))),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"" + one + " preemption: not eligible due to preemptionPolicy=Never.\"\n"},
		{"only as many go as have to, the least important first",
			scene([]*corev1.Pod{high}, with(node("node-1"), cpu("a", "1", ofPriority(3)), cpu("b", "1", ofPriority(1)), cpu("c", "1", ofPriority(2)), cpu("d", "1", ofPriority(4)))),
			preempts("high", "node-1", one, "a", "c", "b")},
		{"the node whose most important victim is the least", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("a", "2", ofPriority(9))),
			with(node("node-2"), cpu("b", "2", ofPriority(5)))), preempts("high", "node-2", two, "b")},
		{"then the smallest sum", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("a", "1", ofPriority(5)), cpu("b", "1", ofPriority(5)), cpu("x", "1", ofPriority(100))),
			with(node("node-2"), cpu("c", "2", ofPriority(5)))), preempts("high", "node-2", two, "c")},
		{"then whoever has not been running for long", scene([]*corev1.Pod{high}, with(node("node-1"), cpu("a", "2", startedAgo(time.Hour))),
			with(node("node-2"), cpu("b", "2", startedAgo(time.Minute))), with(node("node-3"), cpu("c", "2", startedAgo(2*time.Hour)))), preempts("high", "node-2", three, "b")},
		{"anti-affinity is made room for", scene([]*corev1.Pod{pod("high", ofPriority(100), far("web", corev1.LabelHostname))},
			with(node("node-1"), pod("low", app("web")), pod("other"))),
			preempts("high", "node-1", "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.", "low")},
		{"as are host ports", scene([]*corev1.Pod{pod("high", ofPriority(100), onHostPort(80))}, with(node("node-1"), pod("low", onHostPort(80)), pod("other", onHostPort(81)))),
			preempts("high", "node-1", "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.", "low")},
		{"but no affinity", scene([]*corev1.Pod{pod("high", ofPriority(100), near("web", corev1.LabelHostname))}, with(node("node-1"), pod("low"))),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"0/1 nodes are available: 1 node(s) didn't match pod affinity rules. " +
				"preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.\"\n"},
		{"who has preempted waits for the victims", scene([]*corev1.Pod{cpu("high", "3", ofPriority(100), nominatedTo("node-1"))},
			with(node("node-1"), cpu("low", "2", preempted)), with(node("node-2"), cpu("b", "2"))),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"" + two + " preemption: not eligible due to a terminating pod on the nominated node.\"\n"},
		{"and gets their room, however much there is elsewhere", scene([]*corev1.Pod{cpu("high", "3", ofPriority(100), nominatedTo("node-2"))},
			node("node-1"), with(node("node-2"), cpu("b", "1"))),
			"update Pod default/high binding\nevent Pod default/high Normal Scheduled \"Successfully assigned default/high to node-2\"\n"},
		{"another does not get it", scene([]*corev1.Pod{cpu("low", "2")}, node("node-1")).nominating(cpu("high", "3", ofPriority(100), nominatedTo("node-1"))),
			"update Pod default/low status\nevent Pod default/low Warning FailedScheduling \"" + one + " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.\"\n"},
		{"unless it is more important", scene([]*corev1.Pod{cpu("higher", "2", ofPriority(200))}, node("node-1")).nominating(cpu("high", "3", ofPriority(100), nominatedTo("node-1"))),
			"update Pod default/higher binding\nevent Pod default/higher Normal Scheduled \"Successfully assigned default/higher to node-1\"\n"},
		{"who takes the node of a less important one looks for it again", scene([]*corev1.Pod{cpu("higher", "4", ofPriority(200))}, with(node("node-1"), cpu("low", "1"))).
			nominating(cpu("high", "3", ofPriority(100), nominatedTo("node-1"))),
			"update Pod default/higher status\nupdate Pod default/high status\ndelete Pod default/low changed\nevent Pod default/higher Warning FailedScheduling \"" + one + "\"\n" +
				"event Pod default/low Normal Preempted \"Preempted by pod uid-higher on node node-1\"\nwake at 2026-01-02T12:00:00Z\n"},
		{"two of one batch do not count on the same victim", scene([]*corev1.Pod{high, cpu("next", "3", ofPriority(50))}, with(node("node-1"), cpu("a", "2")), with(node("node-2"), cpu("b", "2"))),
			"update Pod default/high status\nupdate Pod default/next status\ndelete Pod default/a changed\ndelete Pod default/b changed\n" +
				"event Pod default/high Warning FailedScheduling \"" + two + "\"\nevent Pod default/a Normal Preempted \"Preempted by pod uid-high on node node-1\"\n" +
				"event Pod default/next Warning FailedScheduling \"" + two + "\"\nevent Pod default/b Normal Preempted \"Preempted by pod uid-next on node node-2\"\n"},
		{"a node that cannot be had any more is given up", scene([]*corev1.Pod{cpu("high", "3", ofPriority(100), nominatedTo("node-1"))}, node("node-1", cordoned)),
			"update Pod default/high status\nevent Pod default/high Warning FailedScheduling \"0/1 nodes are available: 1 node(s) were unschedulable. preemption: " +
				"0/1 nodes are available: 1 Preemption is not helpful for scheduling.\"\nwake at 2026-01-02T12:00:00Z\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, laws.Check(t, Reconcile, tt.s).String()); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// nominating is the snapshot with a Pod that is not to be scheduled now, but has a nominated node.
func (s Snapshot) nominating(pod *corev1.Pod) Snapshot {
	s.Cluster.SetPending(pod)
	s.Related.(*world).Pods[pod.UID] = pod
	return s
}

func TestReconcile_TellsVictims(t *testing.T) {
	t.Parallel()
	low := pod("low", requesting("cpu", "2"))
	p := Reconcile(scene([]*corev1.Pod{pod("high", requesting("cpu", "3"), ofPriority(100))}, with(node("node-1"), low)))
	if got := p.Updates[0].Object.(*corev1.Pod).Status.NominatedNodeName; got != "node-1" {
		t.Errorf("nominated node %q, want node-1", got)
	}
	want := []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "PreemptionByScheduler", ObservedGeneration: 1,
		LastTransitionTime: metav1.Time{Time: noon}, Message: "default-scheduler: preempting to accommodate a higher priority pod"}}
	if diff := cmp.Diff(want, p.Deletes[0].As.(*corev1.Pod).Status.Conditions); diff != "" {
		t.Errorf("the victim's conditions (-want +got):\n%s", diff)
	}
	if p.Deletes[0].NeedsUpdate != "uid-high" {
		t.Errorf("the deletion needs %q, want the nomination of the Pod that it makes room for", p.Deletes[0].NeedsUpdate)
	}
}

// TestReconcile_Promises schedules random Pods, round by round, in a cluster where victims are
// removed and Pods arrive: no node ever has more than it can hold, no placed Pod violates
// anti-affinity or spread, no Pod is preempted for one that is not more important, and everything
// settles.
func TestReconcile_Promises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		zones := []string{"x", "y", "z"}
		var nodes []fixture
		for i := range rapid.IntRange(1, 5).Draw(r, "nodes") {
			nodes = append(nodes, zoned(fmt.Sprintf("node-%d", i), rapid.SampledFrom(zones).Draw(r, "zone"), offering("cpu", "3"), offering("pods", "5")))
		}
		pending, bound := map[types.UID]*corev1.Pod{}, map[types.UID]*corev1.Pod{}
		made := 0
		for round := range 30 {
			if round < 6 {
				for range rapid.IntRange(0, 6).Draw(r, "new") {
					made++
					p := pod(fmt.Sprintf("p%02d", made))
					for _, option := range rapid.SliceOfN(rapid.SampledFrom([]podOption{
						requesting("cpu", "1"), requesting("cpu", "2"), app("web"), app("db"), ofPriority(5), ofPriority(9), onHostPort(80),
						far("web", corev1.LabelHostname), far("db", corev1.LabelTopologyZone), near("web", corev1.LabelTopologyZone),
						spreading("web", corev1.LabelTopologyZone, 1), spreading("db", corev1.LabelHostname, 2), toward("web", corev1.LabelTopologyZone, 5),
					}), 0, 4).Draw(r, "pod") {
						option(p)
					}
					pending[p.UID] = p
				}
			}
			if s := promised(r, nodes, pending, bound); s.Empty() && round >= 6 {
				return
			}
		}
		r.Fatalf("30 rounds have not settled it")
	})
}
