// Package statefulset is the whole judgement of the StatefulSet controller. It gives each ordinal a Pod of its own with a
// stable name and stable claims, creates, deletes and updates Pods in order, and keeps the history of the template.
//
// Reconcile sees all Pods, claims and revisions of a StatefulSet in one snapshot, and its plan is applied in one transaction under
// the StatefulSet's row lock. So an ordinal never has two Pods, and a claim has its owners before the Pod that they
// depend on goes.
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

	// maxBurst is the most objects that one plan creates, and the most Pods that it deletes; the rest follows in the next plans.
	//
	// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go, MaxBatchSize
	maxBurst = 500
)

var (
	setKind = appsv1.SchemeGroupVersion.WithKind("StatefulSet")
	podKind = corev1.SchemeGroupVersion.WithKind("Pod")
)

// Snapshot is what Reconcile looks at. All of it is shared and stays unchanged.
type Snapshot struct {
	StatefulSet *appsv1.StatefulSet

	// Pods and Revisions are, in any order, the Pods and ControllerRevisions of the StatefulSet's namespace that it controls, and
	// those without a controller whose labels match its selector. Others do no harm.
	Pods      []*corev1.Pod
	Revisions []*appsv1.ControllerRevision

	// Claims are the PersistentVolumeClaims of its namespace that ClaimNames names, by name.
	Claims map[string]*corev1.PersistentVolumeClaim

	// Refused says, when not nil, that the plan made from this snapshot could not be applied whole.
	Refused *plan.Refusal

	Now time.Time
}

// ClaimNames are the names of the claims that Reconcile looks at: those of the Pods of the snapshot and of the ordinals that are to
// have a Pod. The snapshot needs no Claims yet.
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

// indexes are those of the Pods that are there, and of the first that are missing, limit at most, in order. An index counts the
// ordinals from the start.
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

// Reconcile says what has to change for the StatefulSet to be as its spec says. It is pure, and safe to call from many
// goroutines.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set.go, sync, and stateful_set_control.go,
// UpdateStatefulSet
func Reconcile(s Snapshot) plan.Plan {
	selector, err := metav1.LabelSelectorAsSelector(s.StatefulSet.Spec.Selector)
	if err != nil {
		return plan.Plan{} // validation does not let it in
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

// syncing is a StatefulSet on its way to a plan.
type syncing struct {
	Snapshot
	set  *appsv1.StatefulSet
	by   claim.Claimant
	plan plan.Plan

	revisions       []*appsv1.ControllerRevision // held, from the oldest to the newest
	current, update *appsv1.ControllerRevision
	collisions      int32

	pods      []*corev1.Pod       // held, with a name of the StatefulSet's
	replicas  map[int]*corev1.Pod // by index; there may be fewer than desired
	condemned []*corev1.Pod       // those with ordinals outside of the range, from the highest

	// changed are the changed copies in the plan's updates and the Pods in its deletes, as a plan changes an object once; owned are the
	// changed copies of claims by name.
	changed map[object.Object]bool
	owned   map[string]*corev1.PersistentVolumeClaim
	// updating is how many Pods of the current revision are deleted to be updated.
	updating int32
	// refused is true once the applier has turned down a creation: nothing more is created.
	refused bool
}

// claimPods takes the Pods that the StatefulSet holds: those that it selects and that have a name of its own. It adopts and
// releases others by that.
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

// sortPods tells the Pods that are to be from those whose ordinals lie outside of the range (STS-040).
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

// manage creates, completes and deletes Pods. In order, nothing happens to a Pod before all those before it are available; and
// Pods go before others are updated.
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
		s.again() // the Pods go once their claims have been settled (STS-039)
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

// condemnInOrder deletes the condemned Pod with the highest ordinal, once the one after it is gone (STS-017). One that is
// not available goes only if no Pod before it is in the same state.
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

// change adds an update of the main resource of a changed copy to the plan, unless it has one.
func (s *syncing) change(o object.Object) {
	if !s.changed[o] {
		s.changed[o] = true
		s.plan.Updates = append(s.plan.Updates, plan.Update{Object: o})
	}
}

// again asks for another sync at once.
func (s *syncing) again() { s.plan.WakeAt = s.Now }

func (s *syncing) ordered() bool {
	return s.set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
}

func (s *syncing) available(p *corev1.Pod) bool {
	return podstate.Available(p, s.set.Spec.MinReadySeconds, s.Now)
}

// unavailable says whether a Pod is not available or is about to go.
func (s *syncing) unavailable(p *corev1.Pod) bool {
	return !s.available(p) || p.DeletionTimestamp != nil
}

// runningAndReady says whether a Pod runs and is ready.
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
