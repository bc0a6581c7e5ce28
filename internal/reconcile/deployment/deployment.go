// Package deployment is the whole judgement of the Deployment controller: which ReplicaSet is the new one, how big
// each of them may be at this step of a rollout, which revisions are kept, and what the status says of it all.
//
// A rollout is not a state of its own. Every call of Reconcile starts from what is there: the Deployment and its
// ReplicaSets with their sizes, revisions and counts. It takes one step as far as the bounds allow (maxSurge,
// maxUnavailable), and is called again when a ReplicaSet has changed. A step does what upstream does in one sync; its
// changes of one object come as a single update. The steps are, one per file: newset.go finds or makes the new
// ReplicaSet, scale.go spreads a change of spec.replicas, rolling.go and recreate.go move Pods from old to new,
// cleanup.go forgets old revisions, and status.go and progress.go tell of it.
//
// Differs: what upstream would do in the sync that its own write of the Deployment causes is done at once, judged by
// the status being written, because a reconciler is not woken by its own write of the object it planned for.
package deployment

import (
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// Snapshot is what Reconcile looks at. All of it is shared and stays unchanged.
type Snapshot struct {
	Deployment *appsv1.Deployment

	// ReplicaSets are, in any order, those of the Deployment's namespace that it controls, and those without a
	// controller whose labels match its selector. Others do no harm.
	ReplicaSets []*appsv1.ReplicaSet

	// Pods are those that the ReplicaSets control, terminating ones too; others do no harm. They are wanted where
	// NeedsPods is true. Where they are nil, the ReplicaSets' own counts are believed.
	Pods []*corev1.Pod

	// Refused says, when not nil, that the plan made from this snapshot could not be applied whole. Its reason
	// AlreadyExists means that the new ReplicaSet's name is taken.
	Refused *plan.Refusal

	Now time.Time
}

// NeedsPods says whether Reconcile wants to see Pods: in the middle of a rollout, and wherever the strategy is
// Recreate. At rest, with one ReplicaSet that has it all, a Deployment is judged without looking at each of its Pods.
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

// Reconcile says what has to change for the Deployment to come one step nearer to its spec. It is pure, and safe to
// call from many goroutines.
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

// step chooses what this call is about.
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

// resized says whether spec.replicas has changed since a ReplicaSet with Pods was last scaled.
//
// Differs: where scaling then has nothing to do, the rollout goes on, while upstream waits for ever: that happens when
// somebody had given the one ReplicaSet its new size beforehand.
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

// rejectSelector warns, once per generation, that an empty selector is not served.
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

// stamp is now as an object stores it: in whole seconds.
func (s Snapshot) stamp() metav1.Time { return metav1.NewTime(s.Now).Rfc3339Copy() }
