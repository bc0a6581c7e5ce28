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

// victims picks the n active Pods that are missed least. If all have to go they are returned as they came.
// A nil nodeRank stands for the counts of the given Pods by node.
//
// Source: kubernetes v1.36 pkg/controller/replicaset/replica_set.go, getPodsToDelete
func victims(active []*corev1.Pod, n int, nodeRank map[string]int, now time.Time) []*corev1.Pod {
	if n >= len(active) {
		return active
	}
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
	// The order of the rules is not a strict one: uid decides between times of one logarithmic bucket, but not
	// between equal times. Sorting by uid first makes the outcome independent of the order of the snapshot.
	slices.SortFunc(candidates, func(a, b candidate) int { return strings.Compare(a.uid, b.uid) })
	slices.SortStableFunc(candidates, func(a, b candidate) int { return a.compare(b, now) })
	chosen := make([]*corev1.Pod, n)
	for i := range chosen {
		chosen[i] = candidates[i].pod
	}
	return chosen
}

// candidate is a Pod with all that the order of victims asks of it.
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

// compare is negative if a is to be deleted before b. The rules are tried in turn until one decides.
//
// Source: kubernetes v1.36 pkg/controller/controller_utils.go, ActivePodsWithRanks
func (a candidate) compare(b candidate, now time.Time) int {
	if c := cmp.Or(
		cmp.Compare(a.assigned, b.assigned),
		cmp.Compare(a.phase, b.phase),
		cmp.Compare(a.ready, b.ready),
		cmp.Compare(a.cost, b.cost),
		cmp.Compare(b.rank, a.rank),
	); c != 0 {
		return c
	}
	if a.ready == 1 && !a.readySince.Equal(b.readySince) {
		return compareYouth(a.readySince, b.readySince, a, b, now)
	}
	if c := cmp.Or(cmp.Compare(b.restarts, a.restarts), cmp.Compare(b.sidecarRestarts, a.sidecarRestarts)); c != 0 {
		return c
	}
	if !a.created.Equal(b.created) {
		return compareYouth(a.created, b.created, a, b, now)
	}
	return 0
}

// compareYouth puts the younger of two different times first, and an unknown one before all. Ages are compared as
// the whole part of their base-2 logarithm, and within one such bucket the smaller uid goes first: of Pods 100 s and
// 110 s old either may go, of Pods 100 s and 200 s old the younger one goes.
func compareYouth(x, y time.Time, a, b candidate, now time.Time) int {
	if x.IsZero() || y.IsZero() {
		if x.IsZero() {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(ageBucket(now.Sub(x)), ageBucket(now.Sub(y))),
		strings.Compare(a.uid, b.uid),
	)
}

// ageBucket is the whole part of the base-2 logarithm of the age in nanoseconds; -1 for no age at all.
func ageBucket(age time.Duration) int {
	if age <= 0 {
		return -1
	}
	return int(math.Log2(float64(age)))
}

// deletionCost is the value of the annotation controller.kubernetes.io/pod-deletion-cost; 0 if there is none or it
// is not a 32-bit integer in plain form, without a plus sign or leading zeros.
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
		return 0 // as validation does not let such a value in, what it means is of no consequence
	}
	return int32(cost)
}
