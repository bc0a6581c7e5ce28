package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// status shows what is in the snapshot. What this plan creates or deletes is counted by the next
// plan. It leaves observedGeneration unchanged.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set_utils.go, calculateStatus
func (s Snapshot) status(pods podLists, failed *failure) appsv1.ReplicaSetStatus {
	return appsv1.ReplicaSetStatus{
		Replicas:             pods.counts.active,
		FullyLabeledReplicas: pods.counts.fullyLabeled,
		ReadyReplicas:        pods.counts.ready,
		AvailableReplicas:    pods.counts.available,
		TerminatingReplicas:  &pods.counts.terminating,
		ObservedGeneration:   s.ReplicaSet.Status.ObservedGeneration,
		Conditions:           s.conditions(failed),
	}
}

// conditions are the ReplicaSet's conditions, with ReplicaFailure as long as Pods cannot be created
// or deleted. While the failure lasts the condition keeps its first reason, message and time.
func (s Snapshot) conditions(failed *failure) []appsv1.ReplicaSetCondition {
	var kept []appsv1.ReplicaSetCondition
	known := false
	for _, c := range s.ReplicaSet.Status.Conditions {
		if c.Type == appsv1.ReplicaSetReplicaFailure {
			known = true
			if failed == nil {
				continue
			}
		}
		kept = append(kept, c)
	}
	if failed != nil && !known {
		kept = append(kept, appsv1.ReplicaSetCondition{
			Type:               appsv1.ReplicaSetReplicaFailure,
			Status:             corev1.ConditionTrue,
			LastTransitionTime: metav1.NewTime(s.Now).Rfc3339Copy(),
			Reason:             failed.reason,
			Message:            failed.message,
		})
	}
	return kept
}

// statusChanged reports whether the status needs a write: its content or the generation it refers
// to is new.
func (s Snapshot) statusChanged(status appsv1.ReplicaSetStatus) bool {
	rs := s.ReplicaSet
	return rs.Generation != rs.Status.ObservedGeneration || !equality.Semantic.DeepEqual(rs.Status, status)
}

// failure is why Pods could not be created or deleted, as the ReplicaFailure condition reports it.
type failure struct{ reason, message string }
