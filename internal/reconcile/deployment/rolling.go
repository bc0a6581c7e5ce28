package deployment

// roll takes one step of a rolling update: it grows the new ReplicaSet as far as maxSurge allows.
// If that is not possible, it shrinks old ones as far as maxUnavailable allows.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, rolloutRolling
func (r *rollout) roll() {
	if !r.ensureNew() {
		return
	}
	if !r.resizeNew() {
		r.shrinkOld()
	}
	r.writeProgress()
	if r.complete(r.d.Status) {
		r.cleanup()
	}
}

// resizeNew sets the new ReplicaSet to the size that it may have now, and reports whether that
// changes its size.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, reconcileNewReplicaSet
func (r *rollout) resizeNew() bool {
	return r.resize(r.new, min(r.grown(r.new), r.desired()))
}

// shrinkOld first removes unavailable Pods from the old ReplicaSets, then those that the new one
// replaces.
//
// With 10 desired, surge 3, 2 unavailable, an old ReplicaSet of 8 and a new one of 5 whose Pods
// never become available, 13 - 8 - 5 = 0 may be removed. After a rollback the ReplicaSets change
// roles, and 13 - 8 - 0 = 5 of the bad Pods may be removed.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, reconcileOldReplicaSets
func (r *rollout) shrinkOld() {
	old := active(r.old)
	newUnavailable := r.new.size() - r.new.reportedAvailable()
	budget := sizes(old) + r.new.size() - r.minAvailable() - newUnavailable
	if len(old) == 0 || budget <= 0 {
		return
	}
	r.dropUnavailable(old, budget)
	r.dropSurplus(old)
}

// dropUnavailable removes up to budget unavailable Pods, from the oldest ReplicaSet first. A
// ReplicaSet deletes unavailable Pods first, and they would block the rollout.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, cleanupUnhealthyReplicas
func (r *rollout) dropUnavailable(old []*replicaSet, budget int32) {
	for _, set := range old {
		n := min(budget, set.size()-set.available())
		r.resize(set, set.size()-n)
		budget -= n
	}
}

// dropSurplus removes as many Pods as are available beyond the minimum, from the oldest ReplicaSet
// first.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, scaleDownOldReplicaSetsForRollingUpdate
func (r *rollout) dropSurplus(old []*replicaSet) {
	surplus := r.new.reportedAvailable() - r.minAvailable()
	for _, set := range old {
		surplus += set.reportedAvailable()
	}
	for _, set := range old {
		n := max(0, min(surplus, set.size()))
		r.resize(set, set.size()-n)
		surplus -= n
	}
}
