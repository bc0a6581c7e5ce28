package garbagecollector

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
)

// morePause is when to sync again if nothing could be done about the dependents in the snapshot.
const morePause = time.Second

// deleteDependents is the sync of an object that is being deleted in the foreground. It judges the
// dependents, changes at most Burst of them, and removes the finalizer when none blocks the
// deletion any more.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, processDeletingDependentsItem.
func deleteDependents(s Snapshot) plan.Plan {
	var p plan.Plan
	held := s.Blocked
	for _, d := range s.Dependents {
		held = held || blocksDeletionOf(d.Object, s.Object)
		if d.Object.GetDeletionTimestamp() != nil {
			continue
		}
		if len(p.Deletes)+len(p.Updates) == Burst {
			p.WakeAt = s.Now
			continue
		}
		fate := judge(d, s.Now)
		p.Updates = append(p.Updates, fate.Updates...)
		p.Deletes = append(p.Deletes, fate.Deletes...)
		p.Events = append(p.Events, fate.Events...)
		if !fate.WakeAt.IsZero() {
			p.WakeAt = fate.WakeAt
		}
	}
	if s.More {
		held = true
		if p.WakeAt = s.Now; p.Empty() && len(s.Dependents) > 0 {
			p.WakeAt = s.Now.Add(morePause)
		}
	}
	if !held {
		p.Updates = append(p.Updates, plan.Update{
			Object: withoutFinalizer(s.Object, metav1.FinalizerDeleteDependents),
		})
	}
	return p
}

// orphanDependents is the sync of an object that is being deleted and must leave its dependents
// behind. It removes the object from their ownerReferences, at most Burst at a time, and removes
// the finalizer once no dependent is left. A dependent whose change was left out of the plan's
// transaction would otherwise lose its owner while it still names it, and be collected.
// Source: kubernetes v1.36 pkg/controller/garbagecollector/garbagecollector.go, attemptToOrphanWorker.
func orphanDependents(s Snapshot) plan.Plan {
	if len(s.Dependents) == 0 && !s.More {
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
