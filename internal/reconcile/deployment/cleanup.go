package deployment

import (
	"cmp"
	"math"
	"slices"

	"github.com/rowlock/rowlock/internal/plan"
)

// cleanup deletes the oldest revisions beyond revisionHistoryLimit (DEP-044). It keeps ReplicaSets
// that have Pods or have not yet observed their latest size. A ReplicaSet that this plan changes is
// left to a later plan.
//
// Source: kubernetes v1.36 pkg/controller/deployment/sync.go, cleanupDeployment
func (r *rollout) cleanup() {
	limit := r.d.Spec.RevisionHistoryLimit
	if limit == nil || *limit == math.MaxInt32 {
		return
	}
	var alive []*replicaSet
	for _, set := range r.old {
		if set.DeletionTimestamp == nil {
			alive = append(alive, set)
		}
	}
	surplus := len(alive) - int(*limit)
	if surplus <= 0 {
		return
	}
	slices.SortStableFunc(alive, func(a, b *replicaSet) int {
		x, okX := revisionOf(a.ReplicaSet)
		y, okY := revisionOf(b.ReplicaSet)
		if !okX || !okY {
			return byAge(a, b)
		}
		return cmp.Or(cmp.Compare(x, y), byAge(a, b))
	})
	for _, set := range alive[:surplus] {
		if set.size() == 0 && set.Status.Replicas == 0 && set.Generation <= set.Status.ObservedGeneration && !set.changed() {
			r.plan.Deletes = append(r.plan.Deletes, plan.Delete{Object: set.ReplicaSet})
		}
	}
}
