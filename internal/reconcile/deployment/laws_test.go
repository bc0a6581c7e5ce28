package deployment_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

// world is a toy cluster with one Deployment, its controllers, a kubelet and a user who does a few
// things, each at any time.
type world struct {
	*laws.World
	t    rapid.TB
	pick laws.Pick
	uid  types.UID // of the Deployment
	todo []func(d *appsv1.Deployment)
}

func newWorld(t rapid.TB, pick laws.Pick, d *appsv1.Deployment) *world {
	d.UID, d.ResourceVersion = "", ""
	w := &world{World: laws.NewWorld(t, now), t: t, pick: pick}
	w.uid = w.Create(d).GetUID()
	return w
}

func (w *world) deployment() *appsv1.Deployment {
	for _, d := range laws.List[*appsv1.Deployment](w.World) {
		if d.UID == w.uid {
			return d
		}
	}
	return nil
}

// settle lets all actors act until nothing is left to do.
func (w *world) settle(after func()) {
	user := func(_ *laws.World, _ laws.Pick) bool {
		if len(w.todo) == 0 {
			return false
		}
		d := w.deployment().DeepCopy()
		w.todo[0](d)
		w.todo = w.todo[1:]
		d.Generation++
		w.Update(d)
		return true
	}
	laws.Settle(w.World, w.pick, 3000, after, w.deployments().Actor(w.t), w.replicaSets().Actor(w.t), laws.Kubelet, user)
}

func (w *world) deployments() laws.Controller[deployment.Snapshot] {
	return laws.Controller[deployment.Snapshot]{
		Snapshots: func(*laws.World) []deployment.Snapshot {
			s := deployment.Snapshot{Deployment: w.deployment(), Now: w.Now, ReplicaSets: laws.List[*appsv1.ReplicaSet](w.World)}
			if s.NeedsPods() {
				s.Pods = laws.List[*corev1.Pod](w.World)
			}
			return []deployment.Snapshot{s}
		},
		Self:      func(s deployment.Snapshot) object.Object { return s.Deployment },
		Reconcile: deployment.Reconcile,
		Judge: func(t rapid.TB, s deployment.Snapshot, p plan.Plan) {
			if s.Deployment.DeletionTimestamp != nil && len(p.Creates)+len(p.Deletes) > 0 {
				t.Fatalf("a Deployment that is being deleted makes the plan:\n%s", p)
			}
			for _, c := range p.Creates {
				if *s.Deployment.Spec.Replicas == 0 && *c.Object.(*appsv1.ReplicaSet).Spec.Replicas != 0 {
					t.Fatalf("a Deployment of 0 replicas makes the plan:\n%s", p)
				}
			}
			if len(s.Pods) == 0 || s.NeedsEachPod() {
				return
			}
			counted := s
			_, counted.Alike = laws.Counted(s.Pods)
			if counted.Pods = nil; counted.Alike == nil {
				counted.Alike = []podstate.Alike{}
			}
			if d := cmp.Diff(p, deployment.Reconcile(counted)); d != "" {
				t.Fatalf("the plan is another one if the Pods are counted together:\n%s", d)
			}
		},
	}
}

func (w *world) replicaSets() laws.Controller[replicaset.Snapshot] {
	return laws.Controller[replicaset.Snapshot]{
		Snapshots: func(*laws.World) (out []replicaset.Snapshot) {
			pods := laws.List[*corev1.Pod](w.World)
			for _, rs := range laws.List[*appsv1.ReplicaSet](w.World) {
				out = append(out, replicaset.Snapshot{ReplicaSet: rs, Pods: pods, Now: w.Now})
			}
			return out
		},
		Self:      func(s replicaset.Snapshot) object.Object { return s.ReplicaSet },
		Reconcile: replicaset.Reconcile,
	}
}

// counts are how many Pods are active, how many of them are available, and how many of those will
// stay: a ReplicaSet that has been scaled down is about to delete the others.
func (w *world) counts() (active, available, staying int32) {
	minReady := w.deployment().Spec.MinReadySeconds
	of := map[types.UID]int32{}
	for _, p := range laws.List[*corev1.Pod](w.World) {
		if podstate.Active(p) {
			active++
			if podstate.Available(p, minReady, w.Now) {
				available++
				of[metav1.GetControllerOf(p).UID]++
			}
		}
	}
	for _, rs := range laws.List[*appsv1.ReplicaSet](w.World) {
		staying += min(of[rs.UID], *rs.Spec.Replicas)
	}
	return active, available, staying
}

// mustBeDone fails the test unless the rollout has ended as the spec wants it.
func (w *world) mustBeDone() {
	w.t.Helper()
	d := w.deployment()
	want := *d.Spec.Replicas
	active, available, _ := w.counts()
	var current *appsv1.ReplicaSet
	old := 0
	for _, rs := range laws.List[*appsv1.ReplicaSet](w.World) {
		if *rs.Spec.Replicas > 0 || rs.Annotations[revision] == d.Annotations[revision] {
			if current != nil {
				w.t.Fatalf("ReplicaSets %s and %s are both current", current.Name, rs.Name)
			}
			current = rs
			continue
		}
		old++
	}
	switch {
	case current == nil || current.Spec.Template.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image:
		w.t.Fatalf("the current ReplicaSet is %v", current)
	case *current.Spec.Replicas != want || active != want || available != want:
		w.t.Fatalf("size %d, active %d, available %d, want %d", *current.Spec.Replicas, active, available, want)
	case old > int(*d.Spec.RevisionHistoryLimit):
		w.t.Fatalf("%d old ReplicaSets are kept, want at most %d", old, *d.Spec.RevisionHistoryLimit)
	}
	zero := int32(0)
	status := appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: want, UpdatedReplicas: want,
		ReadyReplicas: want, AvailableReplicas: want, TerminatingReplicas: &zero}
	got := *d.Status.DeepCopy()
	got.Conditions = nil
	if diff := statusDiff(status, got); diff != "" {
		w.t.Fatalf("status (-want +got):\n%s", diff)
	}
	if c := conditionOf(d, appsv1.DeploymentProgressing); c == nil || c.Reason != "NewReplicaSetAvailable" {
		w.t.Fatalf("Progressing is %v", c)
	}
}

// The things that a user may do.
func setImage(image string) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = image }
}

func scaleTo(n int) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { replicas := int32(n); d.Spec.Replicas = &replicas }
}

func paused(yes bool) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { d.Spec.Paused = yes }
}

// anyBounds draws surge and unavailable, in numbers or percentages, that are not both 0.
func anyBounds(t *rapid.T) func(*appsv1.Deployment) {
	values := []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(2),
		intstr.FromString("25%"), intstr.FromString("50%"), intstr.FromString("100%")}
	surge := rapid.SampledFrom(values).Draw(t, "surge")
	unavailable := rapid.SampledFrom(values).Draw(t, "unavailable")
	if surge == values[0] && unavailable == values[0] {
		surge = values[1]
	}
	return rolling(surge, unavailable)
}

// bounded must be called after every act. There are never more Pods than surge allows. No act
// removes available Pods that should stay when there are too few, or leaves too few; once there
// were enough, there are always enough available Pods.
func (w *world) bounded() func() {
	d := w.deployment()
	surge, unavailable := resolved(d)
	most, least := *d.Spec.Replicas+surge, *d.Spec.Replicas-unavailable
	_, _, before := w.counts()
	reached := false
	return func() {
		active, available, staying := w.counts()
		if active > most {
			w.t.Fatalf("%d active Pods, at most %d allowed\n%q", active, most, w.Changes)
		}
		if staying < min(before, least) {
			w.t.Fatalf("available Pods that stay fell from %d to %d, at least %d wanted\n%q", before, staying, least, w.Changes)
		}
		if reached = reached || staying >= least; reached && available < least {
			w.t.Fatalf("%d available Pods, at least %d wanted\n%q", available, least, w.Changes)
		}
		before = staying
	}
}

func TestLaw_RolloutsKeepTheirBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "replicas")
		w := newWorld(t, laws.Drawn(t), newDeployment(int32(n), anyBounds(t)))
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			// The same image again undoes a rollout; a new one in the middle of another is a
			// rollover.
			w.todo = append(w.todo, setImage(rapid.SampledFrom([]string{"a", "b", "c", "bad"}).Draw(t, "image")))
			if rapid.Bool().Draw(t, "pause") {
				w.todo = append(w.todo, paused(true), setImage("d"), paused(false))
			}
		}
		after := w.bounded()
		w.settle(after)
		w.todo = append(w.todo, setImage("good"))
		w.settle(after)
		w.mustBeDone()
	})
}

func TestLaw_ScalingInMidRolloutSettles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, laws.Drawn(t), newDeployment(int32(rapid.IntRange(0, 6).Draw(t, "replicas")), anyBounds(t), func(d *appsv1.Deployment) {
			d.Spec.MinReadySeconds = int32(rapid.IntRange(0, 10).Draw(t, "minReadySeconds"))
			limit := int32(rapid.IntRange(0, 2).Draw(t, "limit"))
			d.Spec.RevisionHistoryLimit = &limit
			if rapid.Bool().Draw(t, "recreate") {
				d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
			}
		}))
		for i := range rapid.IntRange(1, 5).Draw(t, "changes") {
			w.todo = append(w.todo, rapid.SampledFrom([]func(*appsv1.Deployment){
				setImage("a"), setImage("b"), setImage("bad"), setImage(fmt.Sprint("c", i)),
				scaleTo(rapid.IntRange(0, 9).Draw(t, "scale")), paused(true), paused(false),
			}).Draw(t, "change"))
		}
		w.settle(func() {})
		w.todo = append(w.todo, paused(false), setImage("good"))
		w.settle(func() {})
		w.mustBeDone()
	})
}

func TestLaw_DEP085_RecreateNeverMixesRevisions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, laws.Drawn(t), newDeployment(int32(rapid.IntRange(1, 5).Draw(t, "replicas")), recreate))
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			w.todo = append(w.todo, setImage(rapid.SampledFrom([]string{"a", "b", "bad"}).Draw(t, "image")))
		}
		after := func() {
			hashes := map[string]bool{}
			for _, p := range laws.List[*corev1.Pod](w.World) {
				hashes[p.Labels[appsv1.DefaultDeploymentUniqueLabelKey]] = true
			}
			if len(hashes) > 1 {
				t.Fatalf("Pods of several revisions at once: %v\n%q", hashes, w.Changes)
			}
		}
		w.settle(after)
		w.todo = append(w.todo, setImage("good"))
		w.settle(after)
		w.mustBeDone()
	})
}

func TestLaw_ADeploymentBeingDeletedCreatesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, laws.Drawn(t), newDeployment(3))
		w.settle(func() {})
		w.todo = append(w.todo, setImage("b"), scaleTo(5), func(d *appsv1.Deployment) {
			d.DeletionTimestamp = &metav1.Time{Time: w.Now}
			d.Finalizers = []string{"foregroundDeletion"}
		})
		w.settle(func() {}) // the deployments' Judge sees to the rest
	})
}
