package statefulset_test

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/statefulset"
)

// controller puts Reconcile into a World in which all Pods and revisions are given to every
// StatefulSet, and judges every plan: in order at most one Pod is created, and only when all before
// it are ready; one goes at a time; and nothing is done for one that goes.
func controller() laws.Controller[statefulset.Snapshot] {
	return laws.Controller[statefulset.Snapshot]{
		Snapshots: func(w *laws.World) (out []statefulset.Snapshot) {
			for _, set := range laws.List[*appsv1.StatefulSet](w) {
				s := statefulset.Snapshot{
					StatefulSet: set, Pods: laws.List[*corev1.Pod](w), Revisions: laws.List[*appsv1.ControllerRevision](w), Now: w.Now,
					Claims: map[string]*corev1.PersistentVolumeClaim{},
				}
				for _, c := range laws.List[*corev1.PersistentVolumeClaim](w) {
					s.Claims[c.Name] = c
				}
				out = append(out, s)
			}
			return out
		},
		Self:      func(s statefulset.Snapshot) object.Object { return s.StatefulSet },
		Reconcile: statefulset.Reconcile,
		Judge:     judge,
	}
}

func judge(t rapid.TB, s statefulset.Snapshot, p plan.Plan) {
	set := s.StatefulSet
	var created, removed int
	for _, c := range p.Creates {
		if _, ok := c.Object.(*corev1.Pod); ok {
			created++
		}
	}
	for _, d := range p.Deletes {
		if _, ok := d.Object.(*corev1.Pod); ok {
			removed++
		}
	}
	switch {
	case set.DeletionTimestamp != nil && created+removed > 0:
		t.Fatalf("a StatefulSet that goes has the plan:\n%s", p)
	case set.Spec.PodManagementPolicy == parallel:
		return
	case created+removed > 1:
		t.Fatalf("in order, and the plan is:\n%s", p)
	}
	for _, c := range p.Creates {
		made, ok := c.Object.(*corev1.Pod)
		if !ok {
			continue
		}
		for _, pod := range s.Pods {
			if metav1.IsControlledBy(pod, set) && len(pod.Name) == len(made.Name) && pod.Name < made.Name && pod.Labels["app"] == "web" &&
				(!podstate.Available(pod, set.Spec.MinReadySeconds, s.Now) || pod.DeletionTimestamp != nil) {
				t.Fatalf("%s is created before %s is available:\n%s", made.Name, pod.Name, p)
			}
		}
	}
}

// mischief is what users and nodes may do to a Pod of the StatefulSet. An orphan that is being
// deleted would keep its name taken: the applier refuses such a plan, and a World does not.
var mischief = []func(w *laws.World, p *corev1.Pod){
	func(w *laws.World, p *corev1.Pod) { w.Delete(p) },
	func(w *laws.World, p *corev1.Pod) { delete(p.Labels, appsv1.StatefulSetPodNameLabel); w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.OwnerReferences = nil; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.Status.Phase = corev1.PodFailed; w.Update(p) },
	func(w *laws.World, p *corev1.Pod) { p.Status.Conditions = nil; w.Update(p) },
}

func TestLaw_EachOrdinalHasItsPodOfTheRightRevision(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, now)
		w.Create(web(int32(pick(5)), func(set *appsv1.StatefulSet) {
			set.UID, set.ResourceVersion = "", ""
			set.Spec.MinReadySeconds = int32(5 * pick(2))
			set.Spec.PodManagementPolicy = []appsv1.PodManagementPolicyType{appsv1.OrderedReadyPodManagement, parallel}[pick(2)]
			if pick(2) == 0 {
				start(int32(pick(3)))(set)
			}
			if pick(2) == 0 {
				retention := []appsv1.PersistentVolumeClaimRetentionPolicyType{stays, goes}
				claiming(retention[pick(2)], retention[pick(2)])(set)
			}
			limit := int32(pick(2))
			set.Spec.RevisionHistoryLimit = &limit
		}))
		left := 10
		user := func(w *laws.World, pick laws.Pick) bool {
			if left == 0 {
				return false
			}
			left--
			pods, set := laws.List[*corev1.Pod](w), laws.List[*appsv1.StatefulSet](w)[0].DeepCopy()
			if what := pick(len(mischief) + 2); what < len(mischief) && len(pods) > 0 {
				if p := pods[pick(len(pods))].DeepCopy(); p.DeletionTimestamp == nil && len(p.OwnerReferences) > 0 {
					mischief[what](w, p)
				}
				return true
			} else if what == len(mischief) {
				set.Spec.Template = template([]string{first, next, "nginx:3"}[pick(3)])
			} else {
				n := int32(pick(5))
				set.Spec.Replicas = &n
			}
			set.Generation++
			w.Update(set)
			return true
		}
		laws.Settle(w, pick, 2000, func() {}, controller().Actor(t), laws.Kubelet, collector, user)
		settledRight(t, controller().Snapshots(w)[0])
	})
}

// collector removes a claim whose owner is gone, as the garbage collector does.
func collector(w *laws.World, _ laws.Pick) bool {
	there := map[any]bool{}
	for _, p := range laws.List[*corev1.Pod](w) {
		there[p.UID] = true
	}
	for _, set := range laws.List[*appsv1.StatefulSet](w) {
		there[set.UID] = true
	}
	for _, c := range laws.List[*corev1.PersistentVolumeClaim](w) {
		if len(c.OwnerReferences) > 0 && !there[c.OwnerReferences[0].UID] {
			w.Remove(c)
			for _, set := range laws.List[*appsv1.StatefulSet](w) { // who is woken by that in a cluster too
				w.Update(set)
			}
			return true
		}
	}
	return false
}

// settledRight judges a StatefulSet with nothing left to do: one available Pod for each ordinal, of
// the newest revision, and no other; and PersistentVolumeClaims with the owners that the policy
// requires. If a Pod that must be scaled away in order has failed, a user must delete it, because
// upstream waits until such Pods are ready.
func settledRight(t rapid.TB, s statefulset.Snapshot) {
	set, have := s.StatefulSet, map[string]bool{}
	status, want := set.Status, *set.Spec.Replicas
	if set.Spec.PodManagementPolicy != parallel && int32(len(s.Pods)) > want && slices.ContainsFunc(s.Pods, podstate.Terminal) {
		return
	}
	for _, p := range s.Pods {
		if !metav1.IsControlledBy(p, set) {
			continue
		}
		have[p.Name] = true
		if p.Labels[appsv1.StatefulSetRevisionLabel] != status.UpdateRevision || p.Labels[appsv1.StatefulSetPodNameLabel] != p.Name {
			t.Fatalf("%s has the labels %v, and the newest revision is %s", p.Name, p.Labels, status.UpdateRevision)
		}
	}
	first := int32(0)
	if set.Spec.Ordinals != nil {
		first = set.Spec.Ordinals.Start
	}
	for i := range want {
		if !have[pod(int(first+i)).Name] {
			t.Fatalf("ordinal %d has no Pod: %v", first+i, have)
		}
	}
	if int32(len(have)) != want || status.AvailableReplicas != want || status.Replicas != want || status.CurrentRevision != status.UpdateRevision {
		t.Fatalf("%d Pods, status %+v, want %d", len(have), status, want)
	}
	for _, c := range s.Claims {
		owned := len(c.OwnerReferences) > 0
		if owned != (set.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted == goes && have[c.Name[len("www-"):]]) && have[c.Name[len("www-"):]] {
			t.Fatalf("claim %s has the owners %v", c.Name, c.OwnerReferences)
		}
	}
}

func TestLaw_AStatefulSetBeingDeletedDoesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		w := laws.NewWorld(t, now)
		w.Create(web(int32(pick(6)), setEnding, func(set *appsv1.StatefulSet) { set.UID, set.ResourceVersion = "", "" }))
		for i := range pick(6) {
			w.Create(pod(i, orphan, func(p *corev1.Pod) { p.UID, p.ResourceVersion = "", "" }))
		}
		before := len(laws.List[*corev1.Pod](w))
		laws.Settle(w, pick, 100, func() {}, controller().Actor(t), laws.Kubelet)
		for _, p := range laws.List[*corev1.Pod](w) {
			if p.DeletionTimestamp != nil || len(p.OwnerReferences) > 0 {
				t.Fatalf("Pod %s was touched", p.Name)
			}
			before--
		}
		if before != 0 || len(laws.List[*appsv1.ControllerRevision](w)) > 0 {
			t.Fatalf("%d Pods were lost; history %v", before, laws.List[*appsv1.ControllerRevision](w))
		}
	})
}
