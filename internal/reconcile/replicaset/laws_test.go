package replicaset_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

// controller puts Reconcile into a World in which all Pods are given to every ReplicaSet, and
// judges every plan: it brings the active Pods to their number and not beyond, and does nothing for
// a ReplicaSet that is being deleted.
func controller() laws.Controller[replicaset.Snapshot] {
	return laws.Controller[replicaset.Snapshot]{
		Snapshots: func(w *laws.World) (out []replicaset.Snapshot) {
			pods := laws.List[*corev1.Pod](w)
			for _, rs := range laws.List[*appsv1.ReplicaSet](w) {
				out = append(out, replicaset.Snapshot{ReplicaSet: rs, Pods: pods, Now: w.Now})
			}
			return out
		},
		Self:      func(s replicaset.Snapshot) object.Object { return s.ReplicaSet },
		Reconcile: replicaset.Reconcile,
		Judge: func(t rapid.TB, s replicaset.Snapshot, p plan.Plan) {
			have, want := held(s, p), int(*s.ReplicaSet.Spec.Replicas)
			if s.ReplicaSet.DeletionTimestamp != nil {
				want = have
			}
			if len(p.Creates) != max(0, want-have) || len(p.Deletes) > max(0, have-want) {
				t.Fatalf("with %d Pods of %d the plan is:\n%s", have, want, p)
			}
			counted := s
			counted.Pods, counted.Alike = laws.Counted(s.Pods)
			counted.Alike = slices.DeleteFunc(counted.Alike, func(a podstate.Alike) bool { return !metav1.IsControlledBy(a.Pod, s.ReplicaSet) })
			if !counted.NeedsEachPod() {
				if d := cmp.Diff(p, replicaset.Reconcile(counted)); d != "" {
					t.Fatalf("the plan is another one if the Pods are counted together:\n%s", d)
				}
			}
		},
	}
}

// held counts the active Pods that the ReplicaSet has once the plan's adoptions and releases are
// done.
func held(s replicaset.Snapshot, p plan.Plan) (n int) {
	now := map[string]*corev1.Pod{}
	for _, pod := range s.Pods {
		now[pod.Name] = pod
	}
	for _, u := range p.Updates {
		if pod, ok := u.Object.(*corev1.Pod); ok {
			now[pod.Name] = pod
		}
	}
	for _, pod := range now {
		if metav1.IsControlledBy(pod, s.ReplicaSet) && podstate.Active(pod) {
			n++
		}
	}
	return n
}

// mischief is what users and nodes may do to a Pod.
var mischief = []func(w *laws.World, p *corev1.Pod){
	func(w *laws.World, p *corev1.Pod) { w.Delete(p) },
	func(w *laws.World, p *corev1.Pod) { p.Labels = map[string]string{"app": "other"}; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.Labels = map[string]string{"app": "web"}; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.OwnerReferences = nil; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.Status.Phase = corev1.PodFailed; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.Status.Conditions = nil; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) {
		p.Annotations = map[string]string{corev1.PodDeletionCost: "-1"}
		w.Update(p)
	},
}

func TestLaw_AlwaysTheRightNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, now)
		for range 2 { // RS-013: two with the same selector leave each other's Pods alone
			rs := replicaSet(int32(pick(6)), func(rs *appsv1.ReplicaSet) {
				rs.Name, rs.GenerateName, rs.UID, rs.ResourceVersion = "", "web-", "", ""
				rs.Spec.MinReadySeconds = int32(5 * pick(2))
			})
			w.Create(rs)
		}
		left := 12
		user := func(w *laws.World, pick laws.Pick) bool {
			if left == 0 {
				return false
			}
			left--
			pods, sets := laws.List[*corev1.Pod](w), laws.List[*appsv1.ReplicaSet](w)
			switch what := pick(len(mischief) + 2); {
			case what < len(mischief) && len(pods) > 0:
				mischief[what](w, pods[pick(len(pods))].DeepCopy())
			case what == len(mischief):
				w.Create(pod("", orphan, func(p *corev1.Pod) { p.GenerateName, p.UID, p.ResourceVersion = "bare-", "", "" }))
			default:
				rs := sets[pick(len(sets))].DeepCopy()
				n := int32(pick(6))
				rs.Spec.Replicas = &n
				rs.Generation++
				w.Update(rs)
			}
			return true
		}
		laws.Settle(w, pick, 2000, func() {}, controller().Actor(t), laws.Kubelet, user)
		for _, s := range controller().Snapshots(w) {
			want := *s.ReplicaSet.Spec.Replicas
			status := s.ReplicaSet.Status
			if n := held(s, plan.Plan{}); int32(n) != want || status.Replicas != want || status.AvailableReplicas != want {
				t.Fatalf("%d active Pods, status %+v, want %d\n%q", n, status, want, w.Changes)
			}
		}
	})
}

func TestLaw_AReplicaSetBeingDeletedDoesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, now)
		w.Create(replicaSet(int32(pick(6)), beingDeleted, func(rs *appsv1.ReplicaSet) { rs.UID, rs.ResourceVersion = "", "" }))
		for range pick(6) {
			w.Create(pod("", orphan, func(p *corev1.Pod) { p.GenerateName, p.UID, p.ResourceVersion = "bare-", "", "" }))
		}
		before := len(laws.List[*corev1.Pod](w))
		laws.Settle(w, pick, 100, func() {}, controller().Actor(t), laws.Kubelet)
		for _, p := range laws.List[*corev1.Pod](w) {
			if p.DeletionTimestamp != nil || len(p.OwnerReferences) > 0 {
				t.Fatalf("Pod %s was touched", p.Name)
			}
			before--
		}
		if before != 0 {
			t.Fatalf("%d Pods were lost", before)
		}
	})
}
