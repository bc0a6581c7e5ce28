// Package deployment holds the decisions of the Deployment controller: which ReplicaSet is the new
// one, how large each may be at this step of a rollout, which revisions are kept, and what the
// status reports.
//
// A rollout has no state of its own. Every call of Reconcile starts from the current objects: the
// Deployment and its ReplicaSets with their sizes, revisions and counts. It takes one step, as far
// as maxSurge and maxUnavailable allow (bound.go), and is called again when a ReplicaSet changes. A
// step does what upstream does in one sync; its changes to one object are a single update. Each
// kind of step has its file: newset.go finds or makes the new ReplicaSet, scale.go distributes a
// change of spec.replicas, rolling.go and recreate.go move Pods from old to new, rollback.go copies
// an earlier template, cleanup.go deletes old revisions, and status.go and progress.go report on
// the rollout.
//
// Differs: upstream's own write of the Deployment causes another sync. A reconciler is not woken by
// its own write of the object it planned for, so the work of that second sync is done at once,
// based on the status being written.
package deployment

import (
	"cmp"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// Reconcile returns the changes that bring the Deployment one step closer to its spec. It is pure
// and safe for concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/deployment/deployment_controller.go, syncDeployment
func Reconcile(s Snapshot) plan.Plan {
	if selectsAll(s.Deployment) {
		return rejectSelector(s)
	}
	r, ok := begin(s)
	if !ok {
		return plan.Plan{}
	}
	r.step()
	return r.finish()
}

// step chooses what this call does.
func (r *rollout) step() {
	if r.d.DeletionTimestamp != nil {
		r.syncRevision()
		r.d.Status = r.count()
		return
	}
	r.notePause()
	r.syncRevision()
	revision, rollback := rollbackTo(r.d)
	switch {
	case r.d.Spec.Paused:
		r.scale()
		if !rollback {
			r.cleanup()
		}
		r.d.Status = r.count()
	case rollback:
		r.rollback(revision)
	case r.resized() && r.scale():
		r.d.Status = r.count()
	case r.rolling():
		r.roll()
	default:
		r.recreate()
	}
}

// resized reports whether spec.replicas has changed since a ReplicaSet with Pods was last scaled.
//
// Differs: if scaling then has nothing to do, the rollout continues, while upstream waits forever.
// This happens when someone gave the only ReplicaSet its new size beforehand.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, isScalingEvent
func (r *rollout) resized() bool {
	for _, set := range active(r.sets()) {
		desired, err := strconv.ParseUint(set.Annotations[desiredReplicasAnnotation], 10, 31)
		if err == nil && int32(desired) != r.desired() {
			return true
		}
	}
	return false
}

func selectsAll(d *appsv1.Deployment) bool {
	s := d.Spec.Selector
	return s != nil && len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0
}

// rejectSelector warns, once per generation, that an empty selector is not supported.
func rejectSelector(s Snapshot) plan.Plan {
	if s.Deployment.Status.ObservedGeneration >= s.Deployment.Generation {
		return plan.Plan{}
	}
	d := s.Deployment.DeepCopy()
	d.Status.ObservedGeneration = d.Generation
	return plan.Plan{
		Updates: []plan.Update{{Object: d, Subresource: "status"}},
		Events: []plan.Event{event(s.Deployment, corev1.EventTypeWarning, "SelectingAll",
			"This deployment is selecting all pods. A non-empty selector is required.")},
	}
}

// begin claims the ReplicaSets and separates the new one from the old ones. It returns false for an
// invalid selector, which validation rejects.
//
// Source: kubernetes v1.36 pkg/controller/deployment/deployment_controller.go, getReplicaSetsForDeployment
func begin(s Snapshot) (*rollout, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.Deployment.Spec.Selector)
	if err != nil {
		return nil, false
	}
	r := &rollout{Snapshot: s, d: s.Deployment.DeepCopy(), by: claim.Claimant{
		Owner: s.Deployment, Kind: appsv1.SchemeGroupVersion.WithKind("Deployment"), Selector: selector,
	}}
	claims := claim.Claim(r.by, s.ReplicaSets)
	for _, rs := range claims.Released {
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: rs})
	}
	for _, rs := range claims.Held {
		r.old = append(r.old, &replicaSet{
			ReplicaSet: rs, was: rs, adopted: slices.Contains(claims.Adopted, rs),
			activePods: rs.Status.Replicas, availablePods: rs.Status.AvailableReplicas,
		})
	}
	r.countPods(r.old)
	slices.SortFunc(r.old, byAge)
	// If several have the same template, the oldest is the new one (DEP-020, DEP-033).
	for i, set := range r.old {
		if equalTemplates(&set.Spec.Template, &s.Deployment.Spec.Template) {
			r.new, r.old = set, slices.Delete(r.old, i, i+1)
			break
		}
	}
	return r, true
}

// finish adds the changes to the plan. If ReplicaSets trade room, those that shrink come first, and
// each change of size needs the one before: a change that the applier leaves out must not leave the
// Deployment with too many Pods.
func (r *rollout) finish() plan.Plan {
	sets := slices.DeleteFunc(slices.Clone(r.sets()), func(set *replicaSet) bool { return set.was == nil || !set.changed() })
	if r.traded {
		slices.SortStableFunc(sets, func(a, b *replicaSet) int { return cmp.Compare(a.growth(), b.growth()) })
	}
	var before types.UID
	for _, set := range sets {
		if !equality.Semantic.DeepEqual(set.was.Spec, set.Spec) {
			set.Generation = set.was.Generation + 1 // as the API does for a client; the applier does not raise it
		}
		update := plan.Update{Object: set.ReplicaSet}
		if r.traded && set.growth() != 0 {
			update.NeedsUpdate, before = before, set.UID
		}
		r.plan.Updates = append(r.plan.Updates, update)
	}
	was := r.Deployment
	switch {
	case !equality.Semantic.DeepEqual(was.Spec, r.d.Spec):
		r.d.Generation = was.Generation + 1
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: r.d})
	case !equality.Semantic.DeepEqual(was.Status, r.d.Status),
		!equality.Semantic.DeepEqual(was.Annotations, r.d.Annotations):
		r.plan.Updates = append(r.plan.Updates, plan.Update{Object: r.d, Subresource: "status"})
	}
	return r.plan
}
