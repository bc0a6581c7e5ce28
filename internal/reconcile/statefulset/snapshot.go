package statefulset

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/plan"
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
