package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// count is the sum of the ReplicaSets' own statuses, with the condition Available.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, calculateStatus
func (r *rollout) count() appsv1.DeploymentStatus {
	status := appsv1.DeploymentStatus{
		ObservedGeneration:  r.d.Generation,
		CollisionCount:      r.d.Status.CollisionCount,
		Conditions:          r.d.Status.Conditions,
		TerminatingReplicas: r.terminating(),
	}
	sets := r.sets()
	for _, set := range sets {
		status.Replicas += set.Status.Replicas
		status.ReadyReplicas += set.Status.ReadyReplicas
		status.AvailableReplicas += set.Status.AvailableReplicas
	}
	if r.new != nil {
		status.UpdatedReplicas = r.new.Status.Replicas
	}
	status.UnavailableReplicas = max(0, sizes(sets)-status.AvailableReplicas)
	available := appsv1.DeploymentCondition{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionFalse,
		Reason: "MinimumReplicasUnavailable", Message: "Deployment does not have minimum availability."}
	if status.AvailableReplicas >= r.minAvailable() {
		available.Status = corev1.ConditionTrue
		available.Reason, available.Message = "MinimumReplicasAvailable", "Deployment has minimum availability."
	}
	status.Conditions = r.withCondition(status.Conditions, available)
	return status
}

// terminating is how many Pods of all ReplicaSets are terminating; nil if a ReplicaSet with an
// observed generation does not report the number.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, GetTerminatingReplicaCountForReplicaSets
func (r *rollout) terminating() *int32 {
	var n int32
	for _, set := range r.sets() {
		switch {
		case set.Status.TerminatingReplicas != nil:
			n += *set.Status.TerminatingReplicas
		case set.Status.ObservedGeneration > 0:
			return nil
		}
	}
	return &n
}
