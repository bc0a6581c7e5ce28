package statefulset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Victims are the Pods that the StatefulSet deletes until only those in its spec are left, highest
// ordinal first, in the order in which Reconcile deletes them, plan by plan. It assumes that
// nothing else happens and that every Pod that is waited for becomes available. A StatefulSet that
// is being deleted has no victims.
func Victims(s Snapshot) (gone []podstate.Victim) {
	sy, ok := newSyncing(s)
	if !ok || s.StatefulSet.DeletionTimestamp != nil {
		return nil
	}
	sy.claimPods()
	sy.sortPods()
	var last *corev1.Pod // of those that stay
	for _, p := range sy.replicas {
		if last == nil || s.ordinal(p) > s.ordinal(last) {
			last = p
		}
	}
	for _, p := range sy.condemned {
		v := podstate.Victim{Pod: p, Rule: podstate.NoneIsToStay}
		if s.desired() > 0 {
			v.Rule, v.Than = podstate.OtherOrdinal, last
		}
		if p.DeletionTimestamp == nil {
			gone = append(gone, v)
		}
	}
	return gone
}
