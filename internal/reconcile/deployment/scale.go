package deployment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// scale adapts the ReplicaSets to a changed number of replicas without advancing the rollout. A
// single ReplicaSet gets the whole change; several share it in proportion to their sizes (DEP-061).
// It reports whether it changed anything.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, scale
func (r *rollout) scale() bool {
	if set := r.activeOrLatest(); set != nil {
		return r.resize(set, min(r.desired(), r.grown(set)))
	}
	if r.saturated() {
		changed := false
		for _, set := range active(r.old) {
			changed = r.resize(set, 0) || changed
		}
		return changed
	}
	if sets := active(r.sets()); r.rolling() && len(sets) > 0 {
		return r.scaleInProportion(sets)
	}
	return false
}

// scaleInProportion distributes the replicas to add or remove, starting with the largest
// ReplicaSet, which also gets the remainder from rounding. Of equally large ones the newer grows
// first and the older shrinks first.
//
// Differs: a ReplicaSet grows into the room of another only in the transaction that shrinks the
// other.
//
// With 15 desired instead of 10, a surge of 3, and ReplicaSets of 8 and 5, 18 - 13 = 5 replicas are
// added. 8 grows to 8 × 18 / 13 = 11.08, rounded to 11, and 5 to 6.92, rounded to 7.
func (r *rollout) scaleInProportion(sets []*replicaSet) bool {
	var allowed int32
	if r.desired() > 0 {
		allowed = r.desired() + r.maxSurge()
	}
	total := allowed - sizes(sets)
	if total > 0 {
		// Pods that are about to be deleted take up room for a moment; the rest is added once they
		// are gone.
		total = max(0, allowed-occupied(r.sets()))
	}
	slices.SortFunc(sets, func(a, b *replicaSet) int {
		older := byAge(a, b)
		if total > 0 {
			older = -older
		}
		return cmp.Or(cmp.Compare(b.size(), a.size()), older)
	})
	next := make([]int32, len(sets))
	left := total
	for i, set := range sets {
		share := clampShare(r.share(set), left)
		next[i] = set.size() + share
		left -= share
	}
	next[0] = max(0, next[0]+left)
	changed, grows, shrinks := false, false, false
	for i, set := range sets {
		grows, shrinks = grows || next[i] > set.size(), shrinks || next[i] < set.size()
		sized := r.resize(set, next[i])
		changed = r.annotateReplicas(set) || sized || changed
	}
	r.traded = grows && shrinks
	return changed
}

// clampShare limits a share to the range from 0 to left, whichever sign left has.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, GetReplicaSetProportion
func clampShare(share, left int32) int32 {
	switch {
	case left > 0:
		return min(share, left)
	case left < 0:
		return max(share, left)
	}
	return 0
}

// share is by how much the ReplicaSet would grow, or shrink if negative, in proportion to the whole
// Deployment.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, getReplicaSetFraction
func (r *rollout) share(set *replicaSet) int32 {
	if r.desired() == 0 {
		return -set.size()
	}
	before := r.d.Status.Replicas
	if most, err := strconv.ParseUint(set.Annotations[maxReplicasAnnotation], 10, 31); err == nil && most > 0 {
		before = int32(most)
	}
	if before == 0 {
		return 0
	}
	size := float64(set.size()) * float64(r.desired()+r.maxSurge()) / float64(before)
	return int32(math.Round(size)) - set.size()
}

// activeOrLatest is the only ReplicaSet that has Pods, or the latest if none has; nil if several
// have or no ReplicaSet exists.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, FindActiveOrLatest
func (r *rollout) activeOrLatest() *replicaSet {
	all := r.sets()
	if len(all) == 0 {
		return nil
	}
	switch with := active(all); len(with) {
	case 0:
		return all[len(all)-1] // the new one, or else the youngest old one
	case 1:
		return with[0]
	}
	return nil
}

// saturated reports whether the new ReplicaSet has all desired replicas, is annotated with their
// number, and all are available.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, IsSaturated
func (r *rollout) saturated() bool {
	return r.new != nil &&
		r.new.Annotations[desiredReplicasAnnotation] == strconv.Itoa(int(r.desired())) &&
		r.new.size() == r.desired() &&
		r.new.Status.AvailableReplicas == r.desired()
}

// resize sets the ReplicaSet's size, with the annotations and the event that belong to it, and
// reports whether the size changed.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, scaleReplicaSet
func (r *rollout) resize(set *replicaSet, size int32) bool {
	before := set.size()
	if before == size {
		return false
	}
	set.edit().Spec.Replicas = &size
	r.annotateReplicas(set)
	direction := "up"
	if size < before {
		direction = "down"
	}
	r.event(corev1.EventTypeNormal, "ScalingReplicaSet",
		fmt.Sprintf("Scaled %s replica set %s from %d to %d", direction, set.Name, before, size))
	r.plan.Events[len(r.plan.Events)-1].OfUpdate = set.UID
	return true
}
