package garbagecollector

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// deleteDependents is the look at an object that is being deleted in the foreground. It deletes the dependents, at
// most Burst of them, and takes the finalizer off when no dependent blocks the deletion any more.
//
// A dependent with further owners, or one whose namespace its owner cannot reach, is left to its own look.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, processDeletingDependentsItem.
func deleteDependents(s Snapshot) plan.Plan {
	var p plan.Plan
	held := false
	for _, d := range s.Dependents {
		held = held || blocksDeletionOf(d.Object, s.Object)
		if d.Object.GetDeletionTimestamp() != nil || !ownsAlone(s.Object, d.Object) {
			continue
		}
		if len(p.Deletes)+len(p.Updates) == Burst {
			p.WakeAt = s.Now
			continue
		}
		if d.HasDeletingDependents && blocks(d.Object) {
			p.Updates = append(p.Updates, plan.Update{Object: unblocked(d.Object)})
			p.WakeAt = s.Now
			continue
		}
		p.Deletes = append(p.Deletes, plan.Delete{Object: d.Object, Propagation: cascade(d)})
	}
	if !held {
		p.Updates = append(p.Updates, plan.Update{
			Object: withoutFinalizer(s.Object, metav1.FinalizerDeleteDependents),
		})
	}
	return p
}

// orphanDependents is the look at an object that is being deleted and must leave its dependents behind. It takes the
// object out of their ownerReferences, at most Burst at a time, and the finalizer off once none is left: one left out
// of the plan's transaction would otherwise lose its owner while it still names it, and be collected.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, attemptToOrphanWorker.
func orphanDependents(s Snapshot) plan.Plan {
	if len(s.Dependents) == 0 {
		return plan.Plan{Updates: []plan.Update{{
			Object: withoutFinalizer(s.Object, metav1.FinalizerOrphanDependents),
		}}}
	}
	p := plan.Plan{WakeAt: s.Now}
	for _, d := range s.Dependents[:min(len(s.Dependents), Burst)] {
		var kept []metav1.OwnerReference
		for _, ref := range d.Object.GetOwnerReferences() {
			if ref.UID != s.Object.GetUID() {
				kept = append(kept, ref)
			}
		}
		p.Updates = append(p.Updates, plan.Update{Object: withReferences(d.Object, kept)})
	}
	return p
}

// cascade is how an owner that is being deleted in the foreground deletes a dependent: in the foreground too if that
// has dependents of its own.
func cascade(d Dependent) metav1.DeletionPropagation {
	if d.HasDependents {
		return metav1.DeletePropagationForeground
	}
	return propagation(d.Object)
}

// ownsAlone says that every owner reference of the dependent leads to this owner.
func ownsAlone(owner, dependent object.Object) bool {
	if ns := owner.GetNamespace(); ns != "" && ns != dependent.GetNamespace() {
		return false
	}
	for _, ref := range dependent.GetOwnerReferences() {
		if ref.UID != owner.GetUID() {
			return false
		}
	}
	return true
}
