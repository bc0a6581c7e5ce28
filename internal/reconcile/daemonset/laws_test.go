package daemonset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/daemonset"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// world is a World with nodes, a scheduler and kubelets, and the controller's memory.
type world struct {
	*laws.World
	memories map[types.UID][]byte
}

func newWorld(t rapid.TB, nodes int) *world {
	w := &world{laws.NewWorld(t, now), map[types.UID][]byte{}}
	for i := range nodes {
		w.addNode(fmt.Sprint("n", i))
	}
	return w
}

func (w *world) addNode(name string, edits ...func(*corev1.Node)) {
	w.Create(node(name, append(edits, func(n *corev1.Node) { n.UID = "" })...))
}

func (w *world) nodes() []*corev1.Node {
	nodes := laws.List[*corev1.Node](w.World)
	slices.SortFunc(nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	return nodes
}

// controller puts Reconcile into the world and judges every plan.
func (w *world) controller(bounded bool) laws.Controller[daemonset.Snapshot] {
	return laws.Controller[daemonset.Snapshot]{
		Snapshots: func(*laws.World) (out []daemonset.Snapshot) {
			for _, ds := range laws.List[*appsv1.DaemonSet](w.World) {
				out = append(out, daemonset.Snapshot{
					DaemonSet: ds, Nodes: w.nodes(), Pods: laws.List[*corev1.Pod](w.World),
					Revisions: laws.List[*appsv1.ControllerRevision](w.World), Memory: w.memories[ds.UID], Now: w.Now,
				})
			}
			return out
		},
		Self:      func(s daemonset.Snapshot) object.Object { return s.DaemonSet },
		Reconcile: daemonset.Reconcile,
		Judge: func(t rapid.TB, s daemonset.Snapshot, p plan.Plan) {
			if p.Memory != nil {
				w.memories[s.DaemonSet.UID] = p.Memory
			}
			judgePods(t, s, p)
			if bounded {
				judgeBounds(t, s, p)
			}
		},
	}
}

// runs reports whether a node must have a Pod in this world: it has no taint.
func runs(n *corev1.Node) bool { return len(n.Spec.Taints) == 0 }

// mine are the Pods of a DaemonSet after a plan's updates and deletions, without those being
// deleted, by node.
func mine(s daemonset.Snapshot, p plan.Plan) map[string][]*corev1.Pod {
	now := map[types.UID]*corev1.Pod{}
	for _, pod := range s.Pods {
		now[pod.UID] = pod
	}
	for _, u := range p.Updates {
		if pod, ok := u.Object.(*corev1.Pod); ok {
			now[pod.UID] = pod
		}
	}
	for _, d := range p.Deletes {
		delete(now, d.Object.GetUID())
	}
	pods := map[string][]*corev1.Pod{}
	for _, pod := range now {
		if metav1.IsControlledBy(pod, s.DaemonSet) && pod.DeletionTimestamp == nil {
			pods[podstate.TargetNode(pod)] = append(pods[podstate.TargetNode(pod)], pod)
		}
	}
	return pods
}

// judgePods checks that Pods are created only for nodes that must have one: at most one per node,
// and beside another only where the update may surge, for as many nodes as it may or where the
// other is not available. Pods that have ended do not count.
func judgePods(t rapid.TB, s daemonset.Snapshot, p plan.Plan) {
	t.Helper()
	before := mine(s, plan.Plan{Updates: p.Updates})
	for _, c := range p.Creates {
		pod, ok := c.Object.(*corev1.Pod)
		if !ok {
			continue
		}
		target := podstate.TargetNode(pod)
		i := slices.IndexFunc(s.Nodes, func(n *corev1.Node) bool { return n.Name == target })
		if s.DaemonSet.DeletionTimestamp != nil || i < 0 || !runs(s.Nodes[i]) {
			t.Fatalf("a Pod for %s, which is to have none:\n%s", target, p)
		}
		others := before[target]
		running := slices.DeleteFunc(slices.Clone(others), podstate.Terminal)
		if len(running) > 1 || len(others) > 0 && surge(s.DaemonSet) == 0 {
			t.Fatalf("a Pod for %s, which has %d:\n%s", target, len(others), p)
		}
		before[target] = append(others, pod)
	}
}

func surge(ds *appsv1.DaemonSet) int {
	if r := ds.Spec.UpdateStrategy.RollingUpdate; r != nil {
		return r.MaxSurge.IntValue()
	}
	return 0
}

// judgeBounds checks that no plan leaves more nodes without an available Pod than it found, except
// as many as the update may. A node with two Pods has no bound: when the template changes again
// meanwhile, the older one stays, available or not.
func judgeBounds(t rapid.TB, s daemonset.Snapshot, p plan.Plan) {
	t.Helper()
	now := mine(s, plan.Plan{})
	without := func(pods map[string][]*corev1.Pod) (n int) {
		for _, node := range s.Nodes {
			if len(now[node.Name]) > 1 {
				continue
			}
			available := func(p *corev1.Pod) bool { return podstate.Available(p, s.DaemonSet.Spec.MinReadySeconds, s.Now) }
			if runs(node) && !slices.ContainsFunc(pods[node.Name], available) {
				n++
			}
		}
		return n
	}
	may := 0
	if r := s.DaemonSet.Spec.UpdateStrategy.RollingUpdate; r != nil {
		may = r.MaxUnavailable.IntValue()
	}
	if before, after := without(now), without(mine(s, p)); after > max(before, may) {
		t.Fatalf("%d nodes would be without an available Pod, where %d were and %d may be:\n%s", after, before, may, p)
	}
}

// cluster is the scheduler, the kubelets and the Pod garbage collector; one of them does one thing.
func cluster(w *laws.World, pick laws.Pick) bool {
	exists := map[string]bool{}
	for _, n := range laws.List[*corev1.Node](w) {
		exists[n.Name] = true
	}
	var todo []*corev1.Pod
	for _, p := range laws.List[*corev1.Pod](w) {
		switch target := podstate.TargetNode(p); {
		case p.DeletionTimestamp != nil, p.Spec.NodeName != "" && !exists[target],
			exists[target] && podstate.Active(p) && !podstate.Ready(p):
			todo = append(todo, p)
		}
	}
	if len(todo) == 0 {
		return false
	}
	p := todo[pick(len(todo))]
	if p.DeletionTimestamp != nil || !exists[podstate.TargetNode(p)] {
		w.Remove(p)
		return true
	}
	p = p.DeepCopy()
	if p.Spec.NodeName == "" {
		p.Spec.NodeName = podstate.TargetNode(p)
	} else {
		p.Status.Phase = corev1.PodRunning
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.Now).Rfc3339Copy()}}
	}
	w.Update(p)
	return true
}

// trouble does one of the things that users and nodes may do.
func (w *world) trouble(pick laws.Pick, orphans bool) {
	pods, nodes := laws.List[*corev1.Pod](w.World), w.nodes()
	switch what := pick(9); {
	case what == 0:
		w.addNode(fmt.Sprint("m", len(w.Changes)))
	case what == 1 && len(nodes) > 0:
		w.Remove(nodes[pick(len(nodes))])
	case what == 2 && len(nodes) > 0:
		n := nodes[pick(len(nodes))].DeepCopy()
		n.Spec.Taints = nil
		if pick(2) == 0 {
			tainted("key", []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute}[pick(2)])(n)
		}
		w.Update(n)
	case what == 3 && len(pods) > 0:
		w.Delete(pods[pick(len(pods))])
	case what == 4 && len(pods) > 0:
		p := pods[pick(len(pods))].DeepCopy()
		p.Status.Phase, p.Status.Conditions = []corev1.PodPhase{corev1.PodFailed, corev1.PodSucceeded, corev1.PodRunning}[pick(3)], nil
		w.Update(p)
	case what == 5 && orphans && len(pods) > 0:
		p := pods[pick(len(pods))].DeepCopy()
		p.OwnerReferences = nil
		w.Update(p)
	case what == 6 && orphans && len(pods) > 0:
		p := pods[pick(len(pods))].DeepCopy()
		p.Labels = map[string]string{"app": []string{"d", "other"}[pick(2)]}
		w.Update(p)
	default:
		for _, ds := range laws.List[*appsv1.DaemonSet](w.World) {
			ds = ds.DeepCopy()
			if ds.Spec.Template.Spec.Containers[0].Image = fmt.Sprint(pick(3)); pick(2) == 0 {
				drawStrategy(ds, pick)
			}
			ds.Generation++
			w.Update(ds)
		}
	}
}

func drawStrategy(ds *appsv1.DaemonSet, pick laws.Pick) {
	if n := 1 + pick(2); pick(2) == 0 {
		bounds(fmt.Sprint(n), "0")(ds)
	} else {
		bounds("0", fmt.Sprint(n))(ds)
	}
}

func TestLaw_OnePodOnEveryNode(t *testing.T) {
	t.Parallel()
	for _, orphans := range []bool{false, true} {
		t.Run(map[bool]string{false: "within bounds", true: "DS-028 with Pods that come and go"}[orphans], func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				pick := laws.Drawn(t)
				w := newWorld(t, pick(5))
				w.Create(set(func(ds *appsv1.DaemonSet) {
					ds.UID, ds.ResourceVersion, ds.Annotations = "", "", nil
					ds.Spec.MinReadySeconds, ds.Spec.RevisionHistoryLimit = int32(5*pick(2)), new(int32(pick(3)))
					drawStrategy(ds, pick)
				}))
				left := 8
				user := func(_ *laws.World, pick laws.Pick) bool {
					if left--; left >= 0 {
						w.trouble(pick, orphans)
					}
					return left >= 0
				}
				laws.Settle(w.World, pick, 2000, func() {}, w.controller(!orphans).Actor(t), cluster, user)
				w.judgeEnd(t)
			})
		})
	}
}

// judgeEnd checks the result: one Pod of the newest template on every node that must have one,
// counted in the status.
func (w *world) judgeEnd(t rapid.TB) {
	t.Helper()
	for _, s := range w.controller(false).Snapshots(w.World) {
		want, misplaced := int32(0), int32(0)
		pods := mine(s, plan.Plan{})
		current := slices.MaxFunc(s.Revisions, func(a, b *appsv1.ControllerRevision) int { return int(a.Revision - b.Revision) })
		for _, n := range s.Nodes {
			has := pods[n.Name]
			if !runs(n) {
				misplaced += int32(min(1, len(has)))
				continue
			}
			want++
			if len(has) != 1 || has[0].Labels[appsv1.ControllerRevisionHashLabelKey] != current.Labels[appsv1.ControllerRevisionHashLabelKey] {
				t.Fatalf("%s has %d Pods, want one of %s\n%q", n.Name, len(has), current.Name, w.Changes)
			}
		}
		wantStatus := appsv1.DaemonSetStatus{
			DesiredNumberScheduled: want, CurrentNumberScheduled: want, NumberReady: want, UpdatedNumberScheduled: want, NumberAvailable: want,
			NumberMisscheduled: misplaced, ObservedGeneration: s.DaemonSet.Generation,
		}
		if !equality.Semantic.DeepEqual(s.DaemonSet.Status, wantStatus) {
			t.Fatalf("status %+v, want %+v\n%q", s.DaemonSet.Status, wantStatus, w.Changes)
		}
		if limit := int(*s.DaemonSet.Spec.RevisionHistoryLimit); len(s.Revisions) > limit+1+len(s.Pods) {
			t.Fatalf("%d revisions are kept, want %d and those of Pods", len(s.Revisions), limit+1)
		}
	}
}

func TestLaw_ADaemonSetBeingDeletedDoesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		s := snapshot(set(func(ds *appsv1.DaemonSet) { ds.DeletionTimestamp = &deleted }), nodes(pick(5)), all(pods(pick(5)), pods(pick(5), orphan))...)
		if p := laws.Check(t, daemonset.Reconcile, s); p.String() != "" {
			t.Fatalf("the plan is:\n%s", p)
		}
	})
}

// TestLaw_ManyNodes come to have their Pods in as many plans as it needs.
func TestLaw_ManyNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 300)
	w.Create(set(func(ds *appsv1.DaemonSet) { ds.UID, ds.ResourceVersion = "", "" }))
	var made []int
	c := w.controller(true)
	judge := c.Judge
	c.Judge = func(t rapid.TB, s daemonset.Snapshot, p plan.Plan) {
		judge(t, s, p)
		pods := 0
		for _, c := range p.Creates {
			if _, ok := c.Object.(*corev1.Pod); ok {
				pods++
			}
		}
		made = append(made, pods)
	}
	actor := c.Actor(t)
	for actor(w.World, func(int) int { return 0 }) {
	}
	if !slices.Equal(made, []int{250, 50, 0}) {
		t.Errorf("so many Pods a plan: %v", made)
	}
}

func TestScaledBounds(t *testing.T) {
	t.Parallel()
	half := intstr.FromString("50%")
	for nodes, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2} { // rounded up, as upstream does
		ds := set(image("b", 2), func(ds *appsv1.DaemonSet) { ds.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable = &half })
		var names []*corev1.Node
		for i := range nodes {
			names = append(names, node(fmt.Sprint("n", i)))
		}
		if got := len(daemonset.Reconcile(snapshot(ds, names, all(pods(nodes))...)).Deletes); got != want {
			t.Errorf("of %d nodes %d at once, want %d", nodes, got, want)
		}
	}
}
