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

// conditions is a list that is never changed in place: adding or removing makes a new one.
type conditions = []appsv1.DeploymentCondition

// condition is the condition of the given type; nil if none exists.
func condition(list conditions, of appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	for i := range list {
		if list[i].Type == of {
			return &list[i]
		}
	}
	return nil
}

// withCondition is the list with c in it, updated now. An existing condition with the same status
// and reason stays unchanged, including its message and times. If only the status is the same,
// lastTransitionTime is kept.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, SetDeploymentCondition
func (s Snapshot) withCondition(list conditions, c appsv1.DeploymentCondition) conditions {
	current := condition(list, c.Type)
	if current != nil && current.Status == c.Status && current.Reason == c.Reason {
		return list
	}
	return s.renewCondition(list, c)
}

// renewCondition is withCondition without regard to the reason: it always updates c. Times that c
// already has are kept.
func (s Snapshot) renewCondition(list conditions, c appsv1.DeploymentCondition) conditions {
	if c.LastUpdateTime.IsZero() {
		c.LastUpdateTime, c.LastTransitionTime = s.stamp(), s.stamp()
	}
	if current := condition(list, c.Type); current != nil && current.Status == c.Status {
		c.LastTransitionTime = current.LastTransitionTime
	}
	return append(withoutCondition(list, c.Type), c)
}

func withoutCondition(list conditions, of appsv1.DeploymentConditionType) conditions {
	var kept conditions
	for _, c := range list {
		if c.Type != of {
			kept = append(kept, c)
		}
	}
	return kept
}
