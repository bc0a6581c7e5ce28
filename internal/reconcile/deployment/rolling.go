package deployment

// roll takes one step of a rolling update: it makes the new ReplicaSet grow as far as maxSurge allows, or else old
// ones shrink as far as maxUnavailable allows.
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

// resizeNew brings the new ReplicaSet to the size it may have now, and says whether that is another one.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, reconcileNewReplicaSet
func (r *rollout) resizeNew() bool {
	return r.resize(r.new, min(r.grown(r.new), r.desired()))
}

// grown is how far one of the ReplicaSets may grow now, its own size if it may not. With 10 desired, a surge of 3 and
// others of 8 and 2, it may have 3.
//
// Differs: the other ReplicaSets take up the room of all Pods that they still have, not only of those that they are to
// keep. Upstream adds up sizes alone, and for a moment there may be more Pods than maxSurge allows.
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, NewRSNewReplicas
func (r *rollout) grown(set *replicaSet) int32 {
	have := set.size()
	if !r.rolling() {
		return max(have, r.desired())
	}
	others := occupied(r.sets()) - set.occupied()
	room := r.desired() + r.maxSurge() - others - have
	return have + max(0, min(room, r.desired()-have))
}

// shrinkOld takes from the old ReplicaSets first what is not available, then what the new one makes up for.
//
// With 10 desired, surge 3 and 2 unavailable, an old ReplicaSet of 8 and a new one of 5 whose Pods never become
// available: 13 - 8 - 5 = 0 may go. After a rollback the sets change roles: 13 - 8 - 0 = 5 of the bad Pods may go.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, reconcileOldReplicaSets
func (r *rollout) shrinkOld() {
	old := active(r.old)
	newUnavailable := r.new.size() - r.new.told()
	budget := sizes(old) + r.new.size() - r.minAvailable() - newUnavailable
	if len(old) == 0 || budget <= 0 {
		return
	}
	r.dropUnavailable(old, budget)
	r.dropSurplus(old)
}

// dropUnavailable takes Pods that are not available, at most budget of them, from the oldest ReplicaSet first: they
// are the first that a ReplicaSet deletes, and would block the rollout.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, cleanupUnhealthyReplicas
func (r *rollout) dropUnavailable(old []*replicaSet, budget int32) {
	for _, set := range old {
		n := min(budget, set.size()-set.available())
		r.resize(set, set.size()-n)
		budget -= n
	}
}

// dropSurplus takes as many Pods as there are available ones beyond the least number, from the oldest ReplicaSet
// first.
//
// Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, scaleDownOldReplicaSetsForRollingUpdate
func (r *rollout) dropSurplus(old []*replicaSet) {
	surplus := r.new.told() - r.minAvailable()
	for _, set := range old {
		surplus += set.told()
	}
	for _, set := range old {
		n := max(0, min(surplus, set.size()))
		r.resize(set, set.size()-n)
		surplus -= n
	}
}
