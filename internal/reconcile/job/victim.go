package job

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// victims are the active Pods to delete: at least n. In an indexed Job, Pods without a valid index
// go, and all but one of those that share an index.
//
// Source: kubernetes v1.36 pkg/controller/job/job_controller.go, activePodsForRemoval
func (s *syncing) victims(n int) []*corev1.Pod {
	var gone []*corev1.Pod
	left := slices.Clone(s.active)
	if s.indexed() {
		gone, left = s.superfluous()
	}
	if len(gone) < n {
		sortVictims(left)
		gone = append(gone, left[:n-len(gone)]...)
	}
	return gone
}

// superfluous splits the active Pods into those without a valid index or with an index that another
// Pod serves, and one Pod for each index.
//
// Source: kubernetes v1.36 pkg/controller/job/indexed_job_utils.go, appendDuplicatedIndexPodsForRemoval
func (s *syncing) superfluous() (gone, left []*corev1.Pod) {
	byIndex := map[int][]*corev1.Pod{}
	for _, p := range s.active {
		if s.hasPlace(p) {
			byIndex[indexOf(p)] = append(byIndex[indexOf(p)], p)
		} else {
			gone = append(gone, p)
		}
	}
	for _, p := range s.active {
		same := byIndex[indexOf(p)]
		if !s.hasPlace(p) || same[0] != p {
			continue
		}
		if len(same) > 1 {
			same = slices.Clone(same)
			sortVictims(same)
		}
		gone = append(gone, same[:len(same)-1]...)
		left = append(left, same[len(same)-1])
	}
	return gone, left
}

// sortVictims puts the Pods to delete first at the front.
func sortVictims(pods []*corev1.Pod) {
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		order, _ := compareVictims(a, b)
		return order
	})
}

// compareVictims is negative if a goes before b. It tries the rules in turn and also returns the
// one that decides.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, ActivePods
func compareVictims(a, b *corev1.Pod) (int, podstate.Rule) {
	if c := cmp.Compare(assigned(a), assigned(b)); c != 0 {
		return c, podstate.NotAssigned
	}
	if c := cmp.Compare(progress(a), progress(b)); c != 0 {
		return c, podstate.Phase
	}
	if c := cmp.Compare(ready(a), ready(b)); c != 0 {
		return c, podstate.NotReady
	}
	if ready(a) == 1 {
		if c := youngerFirst(podstate.ReadySince(a), podstate.ReadySince(b)); c != 0 {
			return c, podstate.ReadyLater
		}
	}
	if c := compareRestarts(b, a); c != 0 {
		return c, podstate.MoreRestarts
	}
	if c := youngerFirst(a.CreationTimestamp.Time, b.CreationTimestamp.Time); c != 0 {
		return c, podstate.CreatedLater
	}
	return strings.Compare(string(a.UID), string(b.UID)), podstate.SmallerUID // regardless of the order of the snapshot
}

func assigned(p *corev1.Pod) int {
	if p.Spec.NodeName == "" {
		return 0
	}
	return 1
}

func progress(p *corev1.Pod) int {
	switch p.Status.Phase {
	case corev1.PodUnknown:
		return 1
	case corev1.PodRunning:
		return 2
	default:
		return 0
	}
}

func ready(p *corev1.Pod) int {
	if podstate.Ready(p) {
		return 1
	}
	return 0
}

func compareRestarts(a, b *corev1.Pod) int {
	regularA, sidecarsA := podstate.Restarts(a)
	regularB, sidecarsB := podstate.Restarts(b)
	return cmp.Or(cmp.Compare(regularA, regularB), cmp.Compare(sidecarsA, sidecarsB))
}

// youngerFirst puts the later time first, and an unknown time before all others.
func youngerFirst(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		return cmp.Compare(known(a), known(b))
	}
	return b.Compare(a)
}

func known(t time.Time) int {
	if t.IsZero() {
		return 0
	}
	return 1
}
