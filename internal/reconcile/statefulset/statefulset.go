// Package statefulset holds the decisions of the StatefulSet controller. It gives each ordinal its
// own Pod with a stable name and stable PersistentVolumeClaims, creates, deletes and updates Pods
// in order, and keeps the history of the template.
//
// Reconcile sees all Pods, PersistentVolumeClaims and revisions of a StatefulSet in one snapshot,
// and its plan is applied in one transaction under the StatefulSet's row lock. So an ordinal never
// has two Pods, and a PersistentVolumeClaim has its owners before the Pod that they depend on is
// deleted.
package statefulset

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
)

// Reconcile returns the changes that make the StatefulSet match its spec. It is pure and safe for
// concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set.go, sync, and stateful_set_control.go,
// UpdateStatefulSet
func Reconcile(s Snapshot) plan.Plan {
	sy, ok := newSyncing(s)
	if !ok {
		return plan.Plan{}
	}
	sy.claimRevisions()
	if !sy.resolveRevisions() {
		return sy.plan
	}
	sy.claimPods()
	claims := len(sy.plan.Updates)
	sy.sortPods()
	if sy.set.DeletionTimestamp == nil {
		sy.manage()
	}
	sy.truncateHistory()
	sy.writeStatus()
	sy.plan.ClaimFirst(claims)
	return sy.plan
}

// claimPods takes the Pods that the StatefulSet holds: those that it selects and whose names belong
// to it. It adopts and releases Pods by the same rule.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set.go, getPodsForStatefulSet
func (s *syncing) claimPods() {
	by := s.by
	by.Also = func(o metav1.Object) bool {
		parent, _ := parentAndOrdinal(o.GetName())
		return parent == s.set.Name
	}
	claims := claim.Claim(by, s.Pods)
	s.pods = claims.Held
	for _, p := range claims.Adopted {
		s.change(p)
	}
	for _, p := range claims.Released {
		s.change(p)
	}
}

// sortPods separates the wanted Pods from those whose ordinals lie outside the range (STS-040).
func (s *syncing) sortPods() {
	s.replicas = make(map[int]*corev1.Pod, len(s.pods))
	for _, p := range s.pods {
		switch ordinal := s.ordinal(p); {
		case s.inRange(ordinal):
			s.replicas[ordinal-s.start()] = p
		case ordinal >= 0:
			s.condemned = append(s.condemned, p)
		}
	}
	slices.SortFunc(s.condemned, func(a, b *corev1.Pod) int { return s.ordinal(b) - s.ordinal(a) })
}

// manage creates, completes and deletes Pods. In order, a Pod is not changed before all Pods before
// it are available. Surplus Pods are deleted before others are updated.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet
func (s *syncing) manage() {
	for _, i := range s.indexes(s.replicas, maxBurst) {
		if wait := s.replica(i); s.refused || wait && s.ordered() {
			return
		}
	}
	if s.desired()-len(s.replicas) > maxBurst {
		s.again()
	}
	settled := true
	for _, p := range s.condemned {
		if s.ownClaims(p) {
			settled = false
		}
	}
	if !settled {
		s.again() // the Pods are deleted once their PersistentVolumeClaims have their owners (STS-039)
		return
	}
	if s.ordered() {
		if len(s.condemned) > 0 {
			s.condemnInOrder()
			return
		}
	} else {
		for _, p := range s.condemned {
			s.remove(p)
		}
	}
	s.roll()
}

// condemnInOrder deletes the condemned Pod with the highest ordinal, once the one after it is gone
// (STS-017). An unavailable Pod is deleted only if no Pod before it is unavailable too.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, processCondemned
func (s *syncing) condemnInOrder() {
	highest := s.condemned[0]
	if highest.DeletionTimestamp != nil {
		return
	}
	var first *corev1.Pod
	for _, p := range s.condemned {
		if s.unavailable(p) {
			first = p
		}
	}
	if !(runningAndReady(highest) && s.available(highest)) && highest != first {
		return
	}
	s.remove(highest)
}
