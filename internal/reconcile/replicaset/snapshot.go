package replicaset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	ReplicaSet *appsv1.ReplicaSet

	// Pods are, in any order, the Pods in the ReplicaSet's namespace that it controls, and those
	// without a controller whose labels match its selector. Others are ignored.
	Pods []*corev1.Pod

	// Alike are more Pods that the ReplicaSet controls, as far as they can be counted together. If
	// NeedsEachPod is true, all must be in Pods instead.
	Alike []podstate.Alike

	// NodeRank is, by node name, the number of active Pods of all ReplicaSets with the same
	// controller as this one (of this one alone if it has none). It is read only if NeedsNodeRank
	// is true. If nil, the ReplicaSet's own active Pods are counted.
	NodeRank map[string]int

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// Identity is the object that ReconcileAs decides for. A ReplicationController follows the same
// rules as a ReplicaSet (RSC-040) under another kind.
type Identity struct {
	Kind      schema.GroupVersionKind
	Component string        // the source.component of its events
	Object    object.Object // what its events are about

	// WithoutTerminating is true if Object's status has no terminatingReplicas.
	WithoutTerminating bool

	// WithStatus returns a changed copy of Object, to write through its status subresource.
	WithStatus func(appsv1.ReplicaSetStatus) object.Object
}

// desired is spec.replicas, which defaulting has set.
func (s Snapshot) desired() int {
	if s.ReplicaSet.Spec.Replicas == nil {
		return 1
	}
	return int(*s.ReplicaSet.Spec.Replicas)
}

func (as Identity) event(eventType, reason, message string) plan.Event {
	return plan.Event{Regarding: as.Object, Type: eventType, Reason: reason, Message: message, Component: as.Component}
}
