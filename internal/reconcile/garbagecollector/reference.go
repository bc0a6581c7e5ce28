package garbagecollector

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Orphans reports whether the object's deletion leaves its dependents behind.
func Orphans(o object.Object) bool {
	return slices.Contains(o.GetFinalizers(), metav1.FinalizerOrphanDependents)
}

// deletesDependents reports whether the object's deletion deletes its dependents first.
func deletesDependents(o object.Object) bool {
	return slices.Contains(o.GetFinalizers(), metav1.FinalizerDeleteDependents)
}

// DeletingDependents reports whether the object is being deleted and waits for its dependents to be
// deleted first.
func DeletingDependents(o object.Object) bool {
	return o.GetDeletionTimestamp() != nil && deletesDependents(o)
}

func isDeletingDependents(d Dependent) bool { return DeletingDependents(d.Object) }

// blocks reports whether the object blocks the deletion of one of its owners.
func blocks(o object.Object) bool {
	return slices.ContainsFunc(o.GetOwnerReferences(), blocking)
}

// blocksDeletionOf reports whether the dependent blocks the deletion of this owner.
func blocksDeletionOf(dependent, owner object.Object) bool {
	return slices.ContainsFunc(dependent.GetOwnerReferences(), func(ref metav1.OwnerReference) bool {
		return ref.UID == owner.GetUID() && blocking(ref)
	})
}

func blocking(ref metav1.OwnerReference) bool {
	return ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion
}

// unblocked is a copy of the object that blocks none of its owners. This breaks a cycle of owners.
func unblocked(o object.Object) object.Object {
	refs := slices.Clone(o.GetOwnerReferences())
	for i := range refs {
		if blocking(refs[i]) {
			refs[i].BlockOwnerDeletion = new(bool)
		}
	}
	return withReferences(o, refs)
}

// withReferences is a copy of the object with these owner references.
func withReferences(o object.Object, refs []metav1.OwnerReference) object.Object {
	changed := o.DeepCopyObject().(object.Object)
	changed.SetOwnerReferences(refs)
	return changed
}

// withoutFinalizer is a copy of the object without the finalizer.
func withoutFinalizer(o object.Object, finalizer string) object.Object {
	changed := o.DeepCopyObject().(object.Object)
	changed.SetFinalizers(slices.DeleteFunc(changed.GetFinalizers(), func(f string) bool { return f == finalizer }))
	return changed
}
