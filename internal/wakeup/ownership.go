package wakeup

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CollectGarbage is a Map for every resource: it asks for objects that wait for their dependents,
// for those whose owners may be gone, and for owners that wait for this dependent.
func CollectGarbage(wakes []Wake, d Diff) []Wake {
	changed := d.OwnersChanged()
	if d.New != nil {
		finalizers := d.New.GetFinalizers()
		collecting := d.New.GetDeletionTimestamp() != nil &&
			(slices.Contains(finalizers, metav1.FinalizerDeleteDependents) || slices.Contains(finalizers, metav1.FinalizerOrphanDependents))
		// A controller creates and adopts under the lock of the owner, which therefore exists. But
		// the claims of a StatefulSet may come to its Pods, which are not locked.
		unsure := changed && len(d.New.GetOwnerReferences()) > 0 && (d.Controller == "" || d.Old != nil && ownedByPod(d.New))
		if collecting || unsure {
			wakes = append(wakes, Wake{UID: d.New.GetUID()})
		}
	}
	if d.Old != nil && changed {
		for _, ref := range d.Old.GetOwnerReferences() {
			wakes = append(wakes, Wake{UID: ref.UID, OnlyTerminating: true})
		}
	}
	return wakes
}

func ownedByPod(o metav1.Object) bool {
	return slices.ContainsFunc(o.GetOwnerReferences(), func(ref metav1.OwnerReference) bool { return ref.Kind == "Pod" })
}

// LeavesNamespace is a Map for every resource: when an object is gone or its finalizers change, it
// asks for its namespace, which may wait for that.
func LeavesNamespace(wakes []Wake, d Diff) []Wake {
	if d.Old == nil || d.Old.GetNamespace() == "" || d.New != nil && slices.Equal(d.Old.GetFinalizers(), d.New.GetFinalizers()) {
		return wakes
	}
	return append(wakes, Wake{Resource: "namespaces", Name: d.Old.GetNamespace(), OnlyTerminating: true})
}
