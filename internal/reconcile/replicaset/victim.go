package replicaset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// victims picks the n active Pods to delete.
func victims(active []*corev1.Pod, n int, nodeRank map[string]int, now time.Time) []*corev1.Pod {
	chosen := make([]*corev1.Pod, min(n, len(active)))
	for i, c := range inOrder(active, n, nodeRank, now)[:len(chosen)] {
		chosen[i] = c.pod
	}
	return chosen
}

// inOrder returns the active Pods in the order of deletion, given that n of them must go. If all
// must go, their order is unchanged. If nodeRank is nil, the given Pods are counted by node.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, getPodsToDelete
func inOrder(active []*corev1.Pod, n int, nodeRank map[string]int, now time.Time) []candidate {
	if nodeRank == nil {
		nodeRank = map[string]int{}
		for _, p := range active {
			nodeRank[p.Spec.NodeName]++
		}
	}
	candidates := make([]candidate, len(active))
	for i, p := range active {
		candidates[i] = newCandidate(p, nodeRank[p.Spec.NodeName])
	}
	if n >= len(active) {
		return candidates
	}
	// The rules are not a strict order: uid decides between times in one logarithmic bucket, but
	// not between equal times. Sorting by uid first makes the result independent of the order of
	// the snapshot.
	slices.SortFunc(candidates, func(a, b candidate) int { return strings.Compare(a.uid, b.uid) })
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		order, _ := a.compare(b, now)
		return order
	})
	return candidates
}

// candidate is a Pod with everything that the order of victims depends on.
type candidate struct {
	pod             *corev1.Pod
	uid             string
	assigned        int // 0 without a node, 1 with one
	phase           int // Pending 0, Unknown 1, Running 2
	ready           int // 0 or 1
	cost            int32
	rank            int // active related Pods on the same node
	readySince      time.Time
	restarts        int32 // the most restarts of a container
	sidecarRestarts int32 // the most restarts of a sidecar
	created         time.Time
}

func newCandidate(p *corev1.Pod, rank int) candidate {
	c := candidate{
		pod: p, uid: string(p.UID), cost: deletionCost(p), rank: rank,
		readySince: podstate.ReadySince(p), created: p.CreationTimestamp.Time,
	}
	if p.Spec.NodeName != "" {
		c.assigned = 1
	}
	switch p.Status.Phase {
	case corev1.PodUnknown:
		c.phase = 1
	case corev1.PodRunning:
		c.phase = 2
	}
	if podstate.Ready(p) {
		c.ready = 1
	}
	c.restarts, c.sidecarRestarts = podstate.Restarts(p)
	return c
}

// compare is negative if a must be deleted before b. It tries the rules in turn and also returns
// the one that decides.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, ActivePodsWithRanks
func (a candidate) compare(b candidate, now time.Time) (int, podstate.Rule) {
	switch {
	case a.assigned != b.assigned:
		return cmp.Compare(a.assigned, b.assigned), podstate.NotAssigned
	case a.phase != b.phase:
		return cmp.Compare(a.phase, b.phase), podstate.Phase
	case a.ready != b.ready:
		return cmp.Compare(a.ready, b.ready), podstate.NotReady
	case a.cost != b.cost:
		return cmp.Compare(a.cost, b.cost), podstate.DeletionCost
	case a.rank != b.rank:
		return cmp.Compare(b.rank, a.rank), podstate.DoubledUp
	case a.ready == 1 && !a.readySince.Equal(b.readySince):
		return compareYouth(a.readySince, b.readySince, a, b, now, podstate.ReadyLater)
	case a.restarts != b.restarts:
		return cmp.Compare(b.restarts, a.restarts), podstate.MoreRestarts
	case a.sidecarRestarts != b.sidecarRestarts:
		return cmp.Compare(b.sidecarRestarts, a.sidecarRestarts), podstate.MoreRestarts
	case !a.created.Equal(b.created):
		return compareYouth(a.created, b.created, a, b, now, podstate.CreatedLater)
	}
	return 0, podstate.SmallerUID
}

// compareYouth puts the younger of two different times first, and an unknown time before all
// others. Ages are compared as the whole part of their base-2 logarithm, and within one such bucket
// the smaller uid goes first: of Pods 100 s and 110 s old either may go, of Pods 100 s and 200 s
// old the younger one goes. The returned rule is youth or the uid.
func compareYouth(x, y time.Time, a, b candidate, now time.Time, youth podstate.Rule) (int, podstate.Rule) {
	switch {
	case x.IsZero():
		return -1, youth
	case y.IsZero():
		return 1, youth
	}
	if order := cmp.Compare(ageBucket(now.Sub(x)), ageBucket(now.Sub(y))); order != 0 {
		return order, youth
	}
	return strings.Compare(a.uid, b.uid), podstate.SmallerUID
}

// ageBucket is the whole part of the base-2 logarithm of the age in nanoseconds; -1 if the age is
// not positive.
func ageBucket(age time.Duration) int {
	if age <= 0 {
		return -1
	}
	return int(math.Log2(float64(age)))
}

// deletionCost is the value of the annotation controller.kubernetes.io/pod-deletion-cost; 0 if the
// annotation is missing or is not a 32-bit integer in plain form, without a plus sign or leading
// zeros.
//
// Source: kubernetes v1.36 pkg/apis/core/helper/helpers.go, GetDeletionCostFromPodAnnotations
func deletionCost(p *corev1.Pod) int32 {
	value, ok := p.Annotations[corev1.PodDeletionCost]
	if !ok || value == "" {
		return 0
	}
	if value[0] == '+' || (value[0] == '0' && value != "0") {
		return 0
	}
	cost, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0 // validation rejects such values, so what they mean does not matter
	}
	return int32(cost)
}
