package deployment

import (
	"fmt"
	"math"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// The reasons of the condition Progressing that decisions depend on.
const (
	newReplicaSetAvailable   = "NewReplicaSetAvailable"
	progressDeadlineExceeded = "ProgressDeadlineExceeded"
	deploymentPaused         = "DeploymentPaused"
)

// writeProgress sets the status of a rollout: the counts, its progress, and why its ReplicaSets
// fail.
//
// Source: kubernetes v1.36 pkg/controller/deployment/progress.go, syncRolloutStatus
func (r *rollout) writeProgress() {
	status := r.count()
	if r.hasDeadline() {
		r.progress(&status)
	} else {
		status.Conditions = withoutCondition(status.Conditions, appsv1.DeploymentProgressing)
	}
	if failure := r.replicaFailure(); failure != nil {
		status.Conditions = r.withCondition(status.Conditions, *failure)
	} else {
		status.Conditions = withoutCondition(status.Conditions, appsv1.DeploymentReplicaFailure)
	}
	r.d.Status = status
	r.wakeAtDeadline()
}

// progress sets the condition Progressing. A completed rollout is not judged again (DEP-071,
// DEP-075).
func (r *rollout) progress(status *appsv1.DeploymentStatus) {
	current := condition(status.Conditions, appsv1.DeploymentProgressing)
	if current != nil && current.Reason == newReplicaSetAvailable && status.Replicas == status.UpdatedReplicas {
		return
	}
	next := appsv1.DeploymentCondition{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue}
	switch {
	case r.complete(*status):
		next.Reason, next.Message = newReplicaSetAvailable, r.subject()+" has successfully progressed."
		status.Conditions = r.withCondition(status.Conditions, next)
	case advanced(r.d.Status, *status):
		// Each advance restarts the deadline, although the reason stays the same (DEP-069).
		next.Reason, next.Message = "ReplicaSetUpdated", r.subject()+" is progressing."
		status.Conditions = r.renewCondition(status.Conditions, next)
	case r.overdue(current):
		next.Status, next.Reason = corev1.ConditionFalse, progressDeadlineExceeded
		next.Message = r.subject() + " has timed out progressing."
		status.Conditions = r.withCondition(status.Conditions, next)
	}
}

// advanced reports whether Pods were added to the new ReplicaSet, removed from the old ones, or
// became ready or available.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, DeploymentProgressing
func advanced(before, after appsv1.DeploymentStatus) bool {
	return after.UpdatedReplicas > before.UpdatedReplicas ||
		after.Replicas-after.UpdatedReplicas < before.Replicas-before.UpdatedReplicas ||
		after.ReadyReplicas > before.ReadyReplicas ||
		after.AvailableReplicas > before.AvailableReplicas
}

// complete reports whether the rollout is finished, judged by the status being written.
//
// Differs: the new ReplicaSet must have observed its size. Until then it may still report the
// counts of an earlier, finished rollout.
func (r *rollout) complete(status appsv1.DeploymentStatus) bool {
	return completeIn(r.d, status) && r.new != nil && r.new.counted() && r.new.size() == r.desired() && sizes(r.old) == 0
}

// completeIn reports whether all desired replicas are updated and available and no old ones are
// left (DEP-070).
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, DeploymentComplete
func completeIn(d *appsv1.Deployment, status appsv1.DeploymentStatus) bool {
	want := desired(d)
	return status.UpdatedReplicas == want &&
		status.Replicas == want &&
		status.AvailableReplicas == want &&
		status.ObservedGeneration >= d.Generation
}

// overdue reports whether the last advance or resume was progressDeadlineSeconds ago.
//
// Differs: the deadline is exceeded when it is reached, not an instant later, because the wakeup is
// due exactly then.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, DeploymentTimedOut
func (r *rollout) overdue(progressing *appsv1.DeploymentCondition) bool {
	if progressing == nil || progressing.Reason == newReplicaSetAvailable {
		return false
	}
	return progressing.Reason == progressDeadlineExceeded || !r.Now.Before(r.deadline(progressing))
}

func (r *rollout) deadline(progressing *appsv1.DeploymentCondition) time.Time {
	return progressing.LastUpdateTime.Add(time.Duration(*r.d.Spec.ProgressDeadlineSeconds) * time.Second)
}

// wakeAtDeadline schedules a sync for the time at which a rollout without progress becomes overdue.
//
// Source: kubernetes v1.36 pkg/controller/deployment/progress.go, requeueStuckDeployment
func (r *rollout) wakeAtDeadline() {
	progressing := condition(r.d.Status.Conditions, appsv1.DeploymentProgressing)
	if progressing == nil || !r.hasDeadline() || r.complete(r.d.Status) ||
		progressing.Reason == newReplicaSetAvailable || progressing.Reason == progressDeadlineExceeded {
		return
	}
	r.plan.WakeAt = r.deadline(progressing)
}

// notePause records in the condition Progressing that the Deployment was paused or resumed, so that
// the time in between does not count against the deadline (DEP-066). A deadline that was already
// exceeded stays exceeded.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, checkPausedConditions
func (r *rollout) notePause() {
	current := condition(r.d.Status.Conditions, appsv1.DeploymentProgressing)
	if !r.hasDeadline() || (current != nil && current.Reason == progressDeadlineExceeded) {
		return
	}
	noted := current != nil && current.Reason == deploymentPaused
	switch {
	case r.d.Spec.Paused && !noted:
		r.setProgressing(corev1.ConditionUnknown, deploymentPaused, "Deployment is paused")
	case !r.d.Spec.Paused && noted:
		r.setProgressing(corev1.ConditionUnknown, "DeploymentResumed", "Deployment is resumed")
	}
}

func (r *rollout) setProgressing(status corev1.ConditionStatus, reason, message string) {
	r.d.Status.Conditions = r.withCondition(r.d.Status.Conditions, appsv1.DeploymentCondition{
		Type: appsv1.DeploymentProgressing, Status: status, Reason: reason, Message: message})
}

// replicaFailure is the failure of the new ReplicaSet, or else of the oldest ReplicaSet that has
// one (DEP-083); nil if none has.
//
// Source: kubernetes v1.36 pkg/controller/deployment/progress.go, getReplicaFailures
func (r *rollout) replicaFailure() *appsv1.DeploymentCondition {
	sets := r.old
	if r.new != nil {
		sets = append([]*replicaSet{r.new}, r.old...)
	}
	for _, set := range sets {
		for _, c := range set.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure {
				return &appsv1.DeploymentCondition{
					Type: appsv1.DeploymentReplicaFailure, Status: c.Status, Reason: c.Reason, Message: c.Message,
					LastUpdateTime: c.LastTransitionTime, LastTransitionTime: c.LastTransitionTime,
				}
			}
		}
	}
	return nil
}

// subject is how messages about progress begin.
func (r *rollout) subject() string {
	if r.new != nil {
		return fmt.Sprintf("ReplicaSet %q", r.new.Name)
	}
	return fmt.Sprintf("Deployment %q", r.d.Name)
}

// hasDeadline reports whether progress is monitored at all.
func (r *rollout) hasDeadline() bool {
	return r.d.Spec.ProgressDeadlineSeconds != nil && *r.d.Spec.ProgressDeadlineSeconds != math.MaxInt32
}
