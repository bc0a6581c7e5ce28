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
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

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
	}
	status := s.status(pods, failed)
	if as.WithoutTerminating {
		status.TerminatingReplicas = nil
	}
	if s.statusChanged(status) {
		status.ObservedGeneration = s.ReplicaSet.Generation
		p.Updates = append(p.Updates, plan.Update{Object: as.WithStatus(status), Subresource: "status"})
	}
	p.ClaimFirst(len(pods.claimed))
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
