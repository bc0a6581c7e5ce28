// Package replicationcontroller holds the decisions of the ReplicationController controller. They
// are those of package replicaset: it gets a ReplicationController in the form of a ReplicaSet, and
// its decisions are applied in the name of the ReplicationController.
//
// Source: kubernetes v1.36 pkg/controller/replication/replication_controller.go and conversion.go
//
// Differs: to choose which Pods to delete, upstream counts the Pods of all ReplicationControllers
// with the same controller; here each counts only its own, because nothing in Kubernetes controls
// ReplicationControllers.
package replicationcontroller

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	ReplicationController *corev1.ReplicationController

	// Pods are, in any order, the Pods in the namespace that it controls, and those without a
	// controller whose labels match its selector. Others are ignored.
	Pods []*corev1.Pod

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// Reconcile returns the changes that make the ReplicationController match its spec. It is pure and
// safe for concurrent use.
func Reconcile(s Snapshot) plan.Plan {
	rc := s.ReplicationController
	return replicaset.ReconcileAs(s.shown(), replicaset.Identity{
		Kind:               gvk,
		Component:          "replication-controller",
		Object:             rc,
		WithoutTerminating: true,
		WithStatus: func(status appsv1.ReplicaSetStatus) object.Object {
			out := rc.DeepCopy()
			out.Status = controllerStatus(status)
			return out
		},
	})
}

var gvk = corev1.SchemeGroupVersion.WithKind("ReplicationController")

// shown is the snapshot in the form that package replicaset needs.
func (s Snapshot) shown() replicaset.Snapshot {
	return replicaset.Snapshot{ReplicaSet: asReplicaSet(s.ReplicationController), Pods: s.Pods, Refused: s.Refused, Now: s.Now}
}

// Victims are the Pods that the ReplicationController deletes until it has as many as its spec
// says; see replicaset.Victims.
func Victims(s Snapshot) []podstate.Victim { return replicaset.VictimsAs(s.shown(), gvk) }

// asReplicaSet is a ReplicationController in the form of a ReplicaSet. It shares the common parts.
func asReplicaSet(rc *corev1.ReplicationController) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: rc.ObjectMeta, Spec: appsv1.ReplicaSetSpec{
		Replicas: rc.Spec.Replicas, MinReadySeconds: rc.Spec.MinReadySeconds,
	}}
	if rc.Spec.Selector != nil {
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}
	}
	if rc.Spec.Template != nil {
		rs.Spec.Template = *rc.Spec.Template
	}
	s := rc.Status
	rs.Status = appsv1.ReplicaSetStatus{
		Replicas: s.Replicas, FullyLabeledReplicas: s.FullyLabeledReplicas, ReadyReplicas: s.ReadyReplicas,
		AvailableReplicas: s.AvailableReplicas, ObservedGeneration: s.ObservedGeneration,
	}
	for _, c := range s.Conditions {
		rs.Status.Conditions = append(rs.Status.Conditions, appsv1.ReplicaSetCondition{
			Type: appsv1.ReplicaSetConditionType(c.Type), Status: c.Status, LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return rs
}

// controllerStatus is the status of a ReplicaSet in the form of a ReplicationController's.
func controllerStatus(s appsv1.ReplicaSetStatus) corev1.ReplicationControllerStatus {
	status := corev1.ReplicationControllerStatus{
		Replicas: s.Replicas, FullyLabeledReplicas: s.FullyLabeledReplicas, ReadyReplicas: s.ReadyReplicas,
		AvailableReplicas: s.AvailableReplicas, ObservedGeneration: s.ObservedGeneration,
	}
	for _, c := range s.Conditions {
		status.Conditions = append(status.Conditions, corev1.ReplicationControllerCondition{
			Type: corev1.ReplicationControllerConditionType(c.Type), Status: c.Status, LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return status
}
