package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// writeStatus adds the status to the plan, if it has changed. It schedules another sync for the
// time at which a Pod becomes available.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, updateStatefulSetStatus
func (s *syncing) writeStatus() {
	status := s.status()
	if s.inconsistent(status) {
		if status.CurrentRevision != s.set.Status.CurrentRevision {
			s.again() // the previous revision may be beyond the limit now
		}
		set := s.set.DeepCopy()
		set.Status = status
		s.plan.Updates = append(s.plan.Updates, plan.Update{Object: set, Subresource: "status"})
	}
	if s.plan.WakeAt.IsZero() && status.ReadyReplicas != status.AvailableReplicas {
		s.plan.WakeAt = podstate.NextAvailable(s.pods, s.set.Spec.MinReadySeconds, s.Now)
	}
}

// status counts the Pods in the snapshot. What this plan creates or deletes is counted by the next
// plan, except for a Pod of the current revision that is deleted in order to be updated.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, computeReplicaStatus, and
// stateful_set_utils.go, completeRollingUpdate
func (s *syncing) status() appsv1.StatefulSetStatus {
	status := appsv1.StatefulSetStatus{
		ObservedGeneration: s.set.Generation,
		CurrentRevision:    s.current.Name,
		UpdateRevision:     s.update.Name,
		CollisionCount:     &s.collisions,
		Conditions:         s.set.Status.Conditions,
	}
	for _, p := range s.replicas {
		s.count(&status, p)
	}
	for _, p := range s.condemned {
		s.count(&status, p)
	}
	status.CurrentReplicas -= s.updating
	desired := int32(s.desired())
	if s.set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType &&
		status.UpdatedReplicas == desired && status.ReadyReplicas == desired && status.Replicas == desired {
		status.CurrentReplicas, status.CurrentRevision = status.UpdatedReplicas, status.UpdateRevision
	}
	return status
}

func (s *syncing) count(status *appsv1.StatefulSetStatus, p *corev1.Pod) {
	status.Replicas++
	if runningAndReady(p) {
		status.ReadyReplicas++
		if s.available(p) {
			status.AvailableReplicas++
		}
	}
	if p.DeletionTimestamp != nil {
		return
	}
	if revisionOf(p) == s.current.Name {
		status.CurrentReplicas++
	}
	if revisionOf(p) == s.update.Name {
		status.UpdatedReplicas++
	}
}

// inconsistent reports whether the stored status differs.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, inconsistentStatus
func (s *syncing) inconsistent(status appsv1.StatefulSetStatus) bool {
	was := s.set.Status
	return status.ObservedGeneration > was.ObservedGeneration ||
		status.Replicas != was.Replicas || status.CurrentReplicas != was.CurrentReplicas ||
		status.ReadyReplicas != was.ReadyReplicas || status.UpdatedReplicas != was.UpdatedReplicas ||
		status.AvailableReplicas != was.AvailableReplicas ||
		status.CurrentRevision != was.CurrentRevision || status.UpdateRevision != was.UpdateRevision
}
