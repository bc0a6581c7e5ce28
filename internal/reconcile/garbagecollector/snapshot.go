// Package garbagecollector judges one object at a time by its owners and its dependents: whether it goes because
// its owners have gone, what its own deletion does to those that it owns, and when its finalizers come off.
//
// Every kind is collected but Events. An object must be looked at when it was created with owners or its
// ownerReferences changed, when one of its owners was removed, when its own deletion began to wait for its dependents,
// and from then on when one of those was removed or changed its ownerReferences.
//
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go.
// Differs: upstream looks at each dependent of an owner that is being deleted in the foreground for itself; here the
// owner's look judges all of them, because one transaction for 500 is what makes a cascade fast.
package garbagecollector

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// Burst is how many dependents one look deletes or orphans at most.
const Burst = 500

// Snapshot is one object with those above and below it. Reconcile changes nothing in it.
type Snapshot struct {
	Object object.Object
	// Owners has one entry for each of the object's ownerReferences, in their order.
	Owners []Owner
	// Dependents are objects with an ownerReference that carries the object's uid, whatever their namespace. If the object is not
	// being deleted, one is enough: one that waits for its own dependents, if there is one. If it is, they are some of those
	// that are to be changed; those that are being deleted may be left out.
	Dependents []Dependent
	// More says that there are dependents to be changed which are not shown. The object's finalizer then stays.
	More bool
	// Blocked says that a dependent which is being deleted, and may not be shown, blocks the deletion of the object.
	Blocked bool
	// Now is the cluster's time.
	Now time.Time
}

// Owner is what an owner reference leads to: the object that has the referenced kind and name in the dependent's
// namespace, or without a namespace if the kind has none.
type Owner struct {
	// Unknown says that no such kind is served, so that nobody can tell whether the owner lives.
	Unknown bool
	// Namespaced is the scope of the referenced kind.
	Namespaced bool
	// Found says that an object of that name lives; UID is its uid, which may be another than the referenced one.
	Found bool
	UID   types.UID
	// DeletingDependents says that the owner is being deleted and has the finalizer foregroundDeletion.
	DeletingDependents bool
	// ElsewhereInNamespace is the namespace in which the referenced uid lives, if that is not the dependent's.
	ElsewhereInNamespace string
}

// Dependent is an object that the snapshot's object owns, maybe together with others.
type Dependent struct {
	Object object.Object
	// Owners has one entry for each of the dependent's ownerReferences, in their order.
	Owners []Owner
	// HasDependents says that the dependent owns objects in its turn.
	HasDependents bool
	// HasDeletingDependents says that one of those is being deleted in the foreground.
	HasDeletingDependents bool
}

// Reconcile says what becomes of the object and of its dependents.
//
// An object that is not being deleted is kept, freed of dead owners or deleted, as its owners have it. One that is
// being deleted first gives up or deletes its dependents, if it has the finalizer "orphan" or "foregroundDeletion".
// Every other one that is being deleted waits for somebody else.
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
