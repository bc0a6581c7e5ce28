package deployment

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// rollout is the state of one call of Reconcile: the objects with their changes, and the plan so
// far.
type rollout struct {
	Snapshot
	by   claim.Claimant
	d    *appsv1.Deployment // with its changes
	new  *replicaSet        // the one with the Deployment's template; nil if none exists
	old  []*replicaSet      // all other ReplicaSets of the Deployment, oldest first
	plan plan.Plan

	// traded is true if ReplicaSets grow into the room that others make by shrinking.
	traded bool
}

// countPods counts the Pods in the snapshot, if it has any.
//
// Differs: upstream relies on the ReplicaSets' statuses. For a moment these may miss a Pod that has
// just become available, or still count Pods that are gone or are being deleted. A step taken then
// could exceed maxSurge or maxUnavailable. The status is used only for a ReplicaSet that this plan
// adopts, because its Pods need not be in the snapshot.
func (r *rollout) countPods(sets []*replicaSet) {
	if r.Pods == nil && r.Alike == nil {
		return
	}
	byUID := make(map[types.UID]*replicaSet, len(sets))
	for _, set := range sets {
		if !set.adopted {
			set.activePods, set.availablePods = 0, 0
			byUID[set.UID] = set
		}
	}
	count := func(p *corev1.Pod, n int32) {
		ref := metav1.GetControllerOfNoCopy(p)
		if ref == nil || !podstate.Active(p) {
			return
		}
		if set := byUID[ref.UID]; set != nil {
			set.activePods += n
			if podstate.Available(p, set.Spec.MinReadySeconds, r.Now) {
				set.availablePods += n
			}
		}
	}
	for _, p := range r.Pods {
		count(p, 1)
	}
	for _, a := range r.Alike {
		count(a.Pod, a.N)
	}
}

// sets are all ReplicaSets of the Deployment: the old ones, oldest first, and the new one.
func (r *rollout) sets() []*replicaSet {
	if r.new == nil {
		return r.old
	}
	return append(slices.Clip(r.old), r.new)
}

// desired is spec.replicas, which defaulting has set.
func desired(d *appsv1.Deployment) int32 {
	if d.Spec.Replicas == nil {
		return 1
	}
	return *d.Spec.Replicas
}

func (r *rollout) desired() int32 { return desired(r.d) }

func (r *rollout) event(eventType, reason, message string) {
	r.plan.Events = append(r.plan.Events, event(r.Deployment, eventType, reason, message))
}

func event(d *appsv1.Deployment, eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: d, Type: eventType, Reason: reason, Message: message, Component: "deployment-controller"}
}
