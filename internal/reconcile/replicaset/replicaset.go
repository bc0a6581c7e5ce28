// Package replicaset holds the decisions of the ReplicaSet controller: it keeps as many active Pods
// as spec.replicas says, adopts and releases Pods by label, and counts what it has in its status.
//
// Reconcile sees every relevant Pod in one snapshot, and its plan is applied in one transaction
// under the ReplicaSet's row lock. So upstream's expectations are not needed: no Pod is ever
// created or deleted twice.
//
// Differs: upstream creates in batches of 1, 2, 4, … so that few requests hit an exhausted quota
// (RSC-010, RSC-011). Here all creates of a plan are one transaction, and the applier counts how
// many are admitted; see plan.Refusal.
package replicaset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// maxBurst is the maximum number of Pods that one plan creates or deletes; later plans do the rest.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, BurstReplicas
const maxBurst = 500

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

// Reconcile returns the changes that make the ReplicaSet match its spec. It is pure and safe for
// concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, syncReplicaSet
func Reconcile(s Snapshot) plan.Plan {
	return ReconcileAs(s, Identity{
		Kind:      appsv1.SchemeGroupVersion.WithKind("ReplicaSet"),
		Component: "replicaset-controller",
		Object:    s.ReplicaSet,
		WithStatus: func(status appsv1.ReplicaSetStatus) object.Object {
			rs := s.ReplicaSet.DeepCopy()
			rs.Status = status
			return rs
		},
	})
}

// ReconcileAs is Reconcile for another kind of object. s.ReplicaSet then only carries the spec,
// status and metadata of that object.
func ReconcileAs(s Snapshot, as Identity) plan.Plan {
	pods, ok := s.sortOut(as.Kind)
	if !ok {
		return plan.Plan{}
	}
	p := plan.Plan{Updates: pods.claimed}
	var failed *failure
	if s.ReplicaSet.DeletionTimestamp == nil {
		failed = s.scale(&p, pods, as)
		p.ClaimFirst(len(pods.claimed))
	}
	status := s.status(pods, failed)
	if as.WithoutTerminating {
		status.TerminatingReplicas = nil
	}
	if s.statusChanged(status) {
		status.ObservedGeneration = s.ReplicaSet.Generation
		p.Updates = append(p.Updates, plan.Update{Object: as.WithStatus(status), Subresource: "status"})
	}
	if status.ReadyReplicas != status.AvailableReplicas {
		p.WakeAt = podstate.NextAvailable(pods.active, s.ReplicaSet.Spec.MinReadySeconds, s.Now)
	}
	return p
}

// NeedsEachPod reports whether Reconcile must see each Pod: because it deletes, adopts or releases
// some, or because some become available as time passes. Otherwise it only counts.
func (s Snapshot) NeedsEachPod() bool {
	if len(s.Pods) > 0 || s.ReplicaSet.Spec.MinReadySeconds > 0 {
		return true
	}
	lists, ok := s.sortOut(schema.GroupVersionKind{})
	return ok && (lists.foreign || s.ReplicaSet.DeletionTimestamp == nil && int(lists.counts.active) > s.desired())
}

// NeedsNodeRank reports whether Reconcile reads NodeRank: only if some but not all active Pods must
// go. A snapshot is cheaper to make without it.
func (s Snapshot) NeedsNodeRank() bool {
	active := 0
	for _, p := range s.Pods {
		if podstate.Active(p) {
			active++
		}
	}
	surplus := active - s.desired()
	return s.ReplicaSet.DeletionTimestamp == nil && surplus > 0 && min(surplus, maxBurst) < active
}

// podLists are the snapshot's Pods grouped by their meaning to the ReplicaSet.
type podLists struct {
	by      claim.Claimant
	active  []*corev1.Pod        // held, or adopted in this plan, and active; without Alike
	adopted map[*corev1.Pod]bool // active Pods that this plan adopts
	claimed []plan.Update        // the adoptions and releases
	counts  counts               // of the held and adopted ones, with Alike
	foreign bool                 // some Alike are not held
}

// sortOut claims the active Pods. It returns false for an invalid selector, which validation
// rejects.
func (s Snapshot) sortOut(kind schema.GroupVersionKind) (podLists, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.ReplicaSet.Spec.Selector)
	if err != nil {
		return podLists{}, false
	}
	lists := podLists{by: claim.Claimant{Owner: s.ReplicaSet, Kind: kind, Selector: selector}}
	active := make([]*corev1.Pod, 0, len(s.Pods))
	for _, p := range s.Pods {
		switch {
		case podstate.Active(p):
			active = append(active, p)
		case podstate.Terminating(p) && lists.by.Judge(p) == claim.Held:
			lists.counts.terminating++
		}
	}
	claims := claim.Claim(lists.by, active)
	lists.active = claims.Held
	lists.adopted = make(map[*corev1.Pod]bool, len(claims.Adopted))
	for _, p := range claims.Adopted {
		lists.adopted[p] = true
		lists.claimed = append(lists.claimed, plan.Update{Object: p})
	}
	for _, p := range claims.Released {
		lists.claimed = append(lists.claimed, plan.Update{Object: p})
	}
	s.count(&lists)
	return lists, true
}

// desired is spec.replicas, which defaulting has set.
func (s Snapshot) desired() int {
	if s.ReplicaSet.Spec.Replicas == nil {
		return 1
	}
	return int(*s.ReplicaSet.Spec.Replicas)
}
