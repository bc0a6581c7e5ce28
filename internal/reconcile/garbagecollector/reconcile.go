// Package garbagecollector judges one object at a time by its owners and its dependents: whether it
// must be deleted because its owners are gone, what its own deletion does to its dependents, and
// when its finalizers are removed.
//
// Every kind except Events is collected. An object must be synced when it is created with owners or
// its ownerReferences change, when one of its owners is removed, and when its own deletion begins
// to wait for its dependents. From then on it must also be synced when one of those is removed or
// its ownerReferences change.
//
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go.
// Differs: upstream processes each dependent of an owner that is being deleted in the foreground
// separately. Here the owner's sync judges all of them, because one transaction for 500 makes a
// cascade fast.
package garbagecollector

import (
	"slices"

	"github.com/rowlock/rowlock/internal/plan"
)

// Reconcile decides what happens to the object and to its dependents.
//
// An object that is not being deleted is kept, loses references to dead owners, or is deleted,
// depending on its owners. One that is being deleted first orphans or deletes its dependents, if it
// has the finalizer "orphan" or "foregroundDeletion". Any other object that is being deleted waits
// for another component.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, attemptToDeleteItem.
func Reconcile(s Snapshot) plan.Plan {
	switch {
	case s.Object.GetDeletionTimestamp() == nil:
		return judge(Dependent{
			Object: s.Object, Owners: s.Owners,
			HasDependents:         len(s.Dependents) > 0,
			HasDeletingDependents: slices.ContainsFunc(s.Dependents, isDeletingDependents),
		}, s.Now)
	case Orphans(s.Object):
		return orphanDependents(s)
	case deletesDependents(s.Object):
		return deleteDependents(s)
	default:
		return plan.Plan{}
	}
}
