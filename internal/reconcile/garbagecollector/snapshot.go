package garbagecollector

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Burst is how many dependents one sync deletes or orphans at most.
const Burst = 500

// Snapshot is one object with its owners and dependents. Reconcile does not modify it.
type Snapshot struct {
	Object object.Object
	// Owners has one entry for each of the object's ownerReferences, in their order.
	Owners []Owner
	// Dependents are objects with an ownerReference to the object's uid, in any namespace. If the
	// object is not being deleted, one is enough: one that waits for its own dependents, if such a
	// dependent exists. If it is being deleted, they are some of those that must change; those
	// already being deleted may be omitted.
	Dependents []Dependent
	// More is true if dependents that must change are missing from the snapshot. The object's
	// finalizer then stays.
	More bool
	// Blocked is true if a dependent that is being deleted blocks the deletion of the object. That
	// dependent may be missing from the snapshot.
	Blocked bool
	// Now is the cluster's time.
	Now time.Time
}

// Owner is the target of an owner reference: the object with the referenced kind and name in the
// dependent's namespace, or without a namespace if the kind is cluster-scoped.
type Owner struct {
	// Unknown is true if no such kind is served, so that it is unknown whether the owner exists.
	Unknown bool
	// Namespaced is true if the referenced kind is namespaced.
	Namespaced bool
	// Found is true if an object of that name exists; UID is its uid, which may differ from the
	// referenced one.
	Found bool
	UID   types.UID
	// DeletingDependents is true if the owner is being deleted and has the finalizer
	// foregroundDeletion.
	DeletingDependents bool
	// ElsewhereInNamespace is the namespace in which the object with the referenced uid exists, if
	// that is not the dependent's namespace.
	ElsewhereInNamespace string
}

// Dependent is an object that the snapshot's object owns, possibly together with others.
type Dependent struct {
	Object object.Object
	// Owners has one entry for each of the dependent's ownerReferences, in their order.
	Owners []Owner
	// HasDependents is true if the dependent itself owns objects.
	HasDependents bool
	// HasDeletingDependents is true if one of those is being deleted in the foreground.
	HasDeletingDependents bool
}
