// Package replicationcontroller is the judgement of the ReplicationController controller. It is that of package replicaset: a
// ReplicationController is shown to it as a ReplicaSet, and what it decides is carried out under the ReplicationController's name.
//
// Source: kubernetes v1.36 pkg/controller/replication/replication_controller.go and conversion.go
//
// Differs: to choose which Pods go, upstream counts the Pods of all ReplicationControllers that have the same controller; here
// each counts its own, as nothing in Kubernetes controls ReplicationControllers.
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

// Snapshot is what Reconcile goes by. All of it is shared and stays unchanged.
type Snapshot struct {
	ReplicationController *corev1.ReplicationController

	// Pods are, in any order, the Pods of the namespace that it controls, and those without a controller whose labels match its
	// selector. Others do no harm.
	Pods []*corev1.Pod

	// Refused says, when not nil, that the plan made from this snapshot could not be applied whole.
	Refused *plan.Refusal

	Now time.Time
}

// Reconcile says what has to change for the ReplicationController to be as its spec says. It is pure, and safe to call from many
// goroutines.
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

// shown is the snapshot as package replicaset sees it.
func (s Snapshot) shown() replicaset.Snapshot {
	return replicaset.Snapshot{ReplicaSet: asReplicaSet(s.ReplicationController), Pods: s.Pods, Refused: s.Refused, Now: s.Now}
}

// Victims are the Pods that the ReplicationController gives up until it has as many as its spec says, as replicaset.Victims has them.
func Victims(s Snapshot) []podstate.Victim { return replicaset.VictimsAs(s.shown(), gvk) }

// asReplicaSet is a ReplicationController in the form of a ReplicaSet. It shares what the two have in common.
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

// controllerStatus is the status of a ReplicaSet as that of a ReplicationController.
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
