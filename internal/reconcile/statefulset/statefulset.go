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
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

const (
	component = "statefulset-controller"

	// maxBurst is the maximum number of objects that one plan creates, and of Pods that it deletes;
	// later plans do the rest.
	//
	// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, MaxBatchSize
	maxBurst = 500
)

var (
	setKind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")
	podKind = corev1.SchemeGroupVersion.WithKind("Pod")
)

// Snapshot is the input of Reconcile. It is shared and never modified.
type Snapshot struct {
	StatefulSet *appsv1.StatefulSet

	// Pods and Revisions are, in any order, the Pods and ControllerRevisions of the StatefulSet's
	// namespace that it controls, and those without a controller whose labels match its selector.
	// Others are ignored.
	Pods      []*corev1.Pod
	Revisions []*appsv1.ControllerRevision

	// Claims are the PersistentVolumeClaims in its namespace that ClaimNames lists, by name.
	Claims map[string]*corev1.PersistentVolumeClaim

	// Refused is not nil if the plan made from this snapshot could not be applied in full.
	Refused *plan.Refusal

	Now time.Time
}

// ClaimNames are the names of the PersistentVolumeClaims that Reconcile reads: those of the
// snapshot's Pods and of the ordinals that must have a Pod. It does not read Claims.
func (s Snapshot) ClaimNames() []string {
	templates := s.StatefulSet.Spec.VolumeClaimTemplates
	if len(templates) == 0 {
		return nil
	}
	var names []string
	add := func(ordinal int) {
		for i := range templates {
			names = append(names, claimName(s.StatefulSet, &templates[i], ordinal))
		}
	}
	there := map[int]*corev1.Pod{}
	for _, p := range s.Pods {
		switch ordinal := s.ordinal(p); {
		case s.inRange(ordinal):
			there[ordinal-s.start()] = p
		case ordinal >= 0:
			add(ordinal)
		}
	}
	for _, i := range s.indexes(there, maxBurst+len(s.Pods)) {
		add(s.start() + i)
	}
	return names
}

// indexes are those of the existing Pods and of the first missing ones, at most limit of these, in
// order. An index counts the ordinals from the start.
func (s Snapshot) indexes(there map[int]*corev1.Pod, limit int) []int {
	indexes := make([]int, 0, len(there)+min(limit, s.desired()))
	for i := range there {
		indexes = append(indexes, i)
	}
	for i := 0; i < s.desired() && limit > 0; i++ {
		if there[i] == nil {
			indexes = append(indexes, i)
			limit--
		}
	}
	slices.Sort(indexes)
	return indexes
}

// Reconcile returns the changes that make the StatefulSet match its spec. It is pure and safe for
// concurrent use.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set.go, sync, and stateful_set_control.go,
// UpdateStatefulSet
func Reconcile(s Snapshot) plan.Plan {
	selector, err := metav1.LabelSelectorAsSelector(s.StatefulSet.Spec.Selector)
	if err != nil {
		return plan.Plan{} // validation rejects it
	}
	sy := newSyncing(s, claim.Claimant{Owner: s.StatefulSet, Kind: setKind, Selector: selector})
	sy.claimRevisions()
	if !sy.resolveRevisions() {
		return sy.plan
	}
	sy.claimPods()
	sy.sortPods()
	if sy.set.DeletionTimestamp == nil {
		sy.manage()
	}
	sy.truncateHistory()
	sy.writeStatus()
	return sy.plan
}

func newSyncing(s Snapshot, by claim.Claimant) *syncing {
	return &syncing{Snapshot: s, set: s.StatefulSet, by: by, changed: map[object.Object]bool{}, owned: map[string]*corev1.PersistentVolumeClaim{}}
}

// syncing is the state of one sync of a StatefulSet.
type syncing struct {
	Snapshot
	set  *appsv1.StatefulSet
	by   claim.Claimant
	plan plan.Plan

	revisions       []*appsv1.ControllerRevision // held, oldest first
	current, update *appsv1.ControllerRevision
	collisions      int32

	pods      []*corev1.Pod       // held, with a name of this StatefulSet
	replicas  map[int]*corev1.Pod // by index; there may be fewer than desired
	condemned []*corev1.Pod       // those with ordinals outside the range, highest first

	// changed are the changed copies in the plan's updates and the Pods in its deletes, because a
	// plan changes an object at most once. owned are the changed copies of PersistentVolumeClaims
	// by name.
	changed map[object.Object]bool
	owned   map[string]*corev1.PersistentVolumeClaim
	// updating is how many Pods of the current revision are deleted in order to be updated.
	updating int32
	// refused is true once the applier has refused a creation: nothing more is created.
	refused bool
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

// change adds an update of a changed copy (its main resource) to the plan, unless the plan already
// has it.
func (s *syncing) change(o object.Object) {
	if !s.changed[o] {
		s.changed[o] = true
		s.plan.Updates = append(s.plan.Updates, plan.Update{Object: o})
	}
}

// again schedules another sync at once.
func (s *syncing) again() { s.plan.WakeAt = s.Now }

func (s *syncing) ordered() bool {
	return s.set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
}

func (s *syncing) available(p *corev1.Pod) bool {
	return podstate.Available(p, s.set.Spec.MinReadySeconds, s.Now)
}

// unavailable reports whether a Pod is not available or is being deleted.
func (s *syncing) unavailable(p *corev1.Pod) bool {
	return !s.available(p) || p.DeletionTimestamp != nil
}

// runningAndReady reports whether a Pod runs and is ready.
func runningAndReady(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodRunning && podstate.Ready(p)
}

// desired is spec.replicas, which defaulting has set.
func (s Snapshot) desired() int {
	if s.StatefulSet.Spec.Replicas == nil {
		return 1
	}
	return int(*s.StatefulSet.Spec.Replicas)
}

// start is the first ordinal (STS-034).
func (s Snapshot) start() int {
	if s.StatefulSet.Spec.Ordinals == nil {
		return 0
	}
	return int(s.StatefulSet.Spec.Ordinals.Start)
}

func (s Snapshot) inRange(ordinal int) bool {
	return ordinal >= s.start() && ordinal < s.start()+s.desired()
}

func (s Snapshot) ordinal(p *corev1.Pod) int {
	parent, ordinal := parentAndOrdinal(p.Name)
	if parent != s.StatefulSet.Name {
		return -1
	}
	return ordinal
}
