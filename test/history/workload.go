package history

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/object"
)

// ReplicaSets checks that no Pod was created for a ReplicaSet that already had as many as it asked
// for, counting those that are neither being deleted nor finished: a need is met once. A ReplicaSet
// that now asks for fewer has more for a while; it must not get further ones.
// ReplicationControllers are checked alike.
func ReplicaSets(h History) []Violation {
	var found []Violation
	s := newState()
	for _, e := range h {
		s.apply(e)
		owner := s.pods[e.UID].owner
		if e.Key.Resource != "pods" || e.Verb != object.Created || owner == "" || !ofSet(e.Object) {
			continue
		}
		set := s.sets[owner]
		if set == nil {
			found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf("created for the ReplicaSet %s, which does not exist", owner)})
			continue
		}
		if n, want := s.counts[owner].active, replicas(set.Spec.Replicas); n > want {
			found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf("is Pod %d of ReplicaSet %s, which asks for %d", n, set.Name, want)})
		}
	}
	return found
}

// ofSet reports whether the object belongs to a ReplicaSet or a ReplicationController.
func ofSet(o object.Object) bool {
	ref := metav1.GetControllerOfNoCopy(o)
	return ref != nil && !slices.Contains([]string{"Job", "StatefulSet", "DaemonSet"}, ref.Kind)
}

// Deployments checks rolling updates, at every revision: a Deployment has at most replicas +
// maxSurge Pods that are not being deleted, and at least replicas − maxUnavailable of them are
// Ready. Pods that their ReplicaSet no longer asks for do not count towards the first bound: as
// upstream's, the controller goes by what it asks of ReplicaSets, and one may create a Pod before
// another has deleted its own.
//
// The bounds apply from when they were first met after a change of replicas or strategy that the
// controller has passed on to the ReplicaSets, until the next such change: growing takes time. A
// Pod that becomes ready after its ReplicaSet was scaled down does not count towards a bound.
// Deployments that are recreated, paused or being deleted have no bounds. Pods that others delete
// or that fail by themselves show as violations.
func Deployments(h History) []Violation {
	var found []Violation
	s, watched := newState(), map[types.UID]*watched{}
	for _, e := range h {
		s.apply(e)
		uid := e.UID
		switch e.Key.Resource {
		case "pods":
			uid = s.owners[s.pods[e.UID].owner]
		case "replicasets.apps":
			uid = s.owners[e.UID]
		}
		d := s.deployments[uid]
		if d == nil {
			continue
		}
		if watched[uid] == nil {
			watched[uid] = newWatched(d)
		}
		for _, message := range watched[uid].judge(d, s.counts[uid], func() sums { return s.sums(uid) }) {
			found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf("Deployment %s %s", d.Name, message)})
		}
	}
	return found
}

// watched is a Deployment whose bounds are checked.
type watched struct {
	limits
	changed      int64 // the generation that set these limits
	upper, lower bool  // the bound has been met once, and applies
}

// limits are a Deployment's bounds; most is −1 for none.
type limits struct{ most, fewest int }

func newWatched(d *appsv1.Deployment) *watched {
	return &watched{limits: limitsOf(d), changed: d.Generation}
}

// judge returns what is wrong with a Deployment that has these Pods; sum is its state.sums.
func (w *watched) judge(d *appsv1.Deployment, c counts, sum func() sums) []string {
	if l := limitsOf(d); l != w.limits {
		*w = *newWatched(d)
	}
	if w.most < 0 {
		return nil
	}
	if !w.upper || !w.lower {
		has := sum()
		carriedOver := d.Status.ObservedGeneration >= w.changed && has.asked <= w.most
		w.upper = w.upper || carriedOver && c.active <= w.most
		w.lower = w.lower || carriedOver && has.lasting >= w.fewest
	}
	var wrong []string
	if w.upper && c.active > w.most && c.active-sum().surplus > w.most {
		wrong = append(wrong, fmt.Sprintf("has %d Pods and may have %d", c.active, w.most))
	}
	if w.lower && c.ready < w.fewest {
		wrong = append(wrong, fmt.Sprintf("has %d Pods that are ready and must have %d", c.ready, w.fewest))
	}
	return wrong
}

// limitsOf resolves the bounds, surge rounded up and unavailable down; both 0 mean that one may be
// unavailable.
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, ResolveFenceposts.
func limitsOf(d *appsv1.Deployment) limits {
	rolling := d.Spec.Strategy.RollingUpdate
	if d.DeletionTimestamp != nil || d.Spec.Paused || rolling == nil {
		return limits{most: -1}
	}
	n := replicas(d.Spec.Replicas)
	surge, unavailable := scaled(rolling.MaxSurge, n, true), scaled(rolling.MaxUnavailable, n, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return limits{most: n + surge, fewest: n - min(unavailable, n)}
}

// scaled returns the number or the percentage of total; 0 for invalid values, which validation
// refuses.
func scaled(v *intstr.IntOrString, total int, up bool) int {
	if v == nil {
		return 0
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(v, total, up)
	if err != nil {
		return 0
	}
	return n
}
