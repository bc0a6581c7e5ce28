// Package deployment holds the decisions of the Deployment controller: which ReplicaSet is the new
// one, how large each may be at this step of a rollout, which revisions are kept, and what the
// status reports.
//
// A rollout has no state of its own. Every call of Reconcile starts from the current objects: the
// Deployment and its ReplicaSets with their sizes, revisions and counts. It takes one step, as far
// as maxSurge and maxUnavailable allow, and is called again when a ReplicaSet changes. A step does
// what upstream does in one sync; its changes to one object are a single update. Each step has its
// file: newset.go finds or makes the new ReplicaSet, scale.go distributes a change of
// spec.replicas, rolling.go and recreate.go move Pods from old to new, cleanup.go deletes old
// revisions, and status.go and progress.go report on the rollout.
//
// Differs: upstream's own write of the Deployment causes another sync. A reconciler is not woken by
// its own write of the object it planned for, so the work of that second sync is done at once,
// based on the status being written.
package deployment

import (
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	Deployment *appsv1.Deployment

	// ReplicaSets are, in any order, those in the Deployment's namespace that it controls, and
	// those without a controller whose labels match its selector. Others are ignored.
	ReplicaSets []*appsv1.ReplicaSet

	// Pods are those that the ReplicaSets control, including terminating ones; others are ignored.
	// They are needed if NeedsPods is true. If both they and Alike are nil, the ReplicaSets' own
	// counts are used.
	Pods []*corev1.Pod

	// Alike are more of these Pods, as far as they can be counted together. If NeedsEachPod is
	// true, all must be in Pods instead.
	Alike []podstate.Alike

	// Refused is not nil if the plan made from this snapshot could not be applied in full. The
	// reason AlreadyExists means that the new ReplicaSet's name is taken.
	Refused *plan.Refusal

	Now time.Time
}

// NeedsPods reports whether Reconcile needs Pods: during a rollout, and always with the strategy
// Recreate. At rest, with one ReplicaSet that has all replicas, a Deployment is judged without
// reading its Pods.
func (s Snapshot) NeedsPods() bool {
	d := s.Deployment
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType || !completeIn(d, d.Status) {
		return true
	}
	for _, rs := range s.ReplicaSets {
		if n := size(rs); n != 0 && n != desired(d) {
			return true
		}
	}
	return false
}

// NeedsEachPod reports whether Reconcile must see each Pod that it needs: because finished ones
// count, or because some become available as time passes.
func (s Snapshot) NeedsEachPod() bool {
	return s.Deployment.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType ||
		slices.ContainsFunc(s.ReplicaSets, func(rs *appsv1.ReplicaSet) bool { return rs.Spec.MinReadySeconds > 0 })
}

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

func event(d *appsv1.Deployment, eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: d, Type: eventType, Reason: reason, Message: message, Component: "deployment-controller"}
}

// stamp is the current time as objects store it: in whole seconds.
func (s Snapshot) stamp() metav1.Time { return metav1.NewTime(s.Now).Rfc3339Copy() }
