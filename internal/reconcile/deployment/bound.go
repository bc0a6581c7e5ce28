package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// bounds resolves maxSurge (rounded up) and maxUnavailable (rounded down) for the desired number of
// replicas. Validation rejects 0 for both, but rounding can produce it. Then one Pod may be
// unavailable, because a surge might exceed a quota.
//
//	10 desired, 25% and 25%: surge 3, unavailable 2
//	 3 desired, 25% and 25%: surge 1, unavailable 0
//	 1 desired,  0  and 25%: surge 0, unavailable 1
//
// Source: kubernetes v1.36 pkg/controller/deployment/util/deployment_util.go, ResolveFenceposts
func bounds(rolling *appsv1.RollingUpdateDeployment, desired int32) (surge, unavailable int32) {
	if rolling == nil {
		rolling = &appsv1.RollingUpdateDeployment{}
	}
	surge = scaled(rolling.MaxSurge, desired, true)
	unavailable = scaled(rolling.MaxUnavailable, desired, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// scaled resolves value as a number or as a percentage of total. It is 0 if value is nil or is one
// that validation rejects.
func scaled(value *intstr.IntOrString, total int32, up bool) int32 {
	n, err := intstr.GetScaledValueFromIntOrPercent(intstr.ValueOrDefault(value, intstr.FromInt32(0)), int(total), up)
	if err != nil {
		return 0
	}
	return int32(n)
}

// maxSurge is how many Pods may exist beyond the desired number; 0 unless the strategy is
// RollingUpdate.
func (r *rollout) maxSurge() int32 {
	if !r.rolling() {
		return 0
	}
	surge, _ := bounds(r.d.Spec.Strategy.RollingUpdate, r.desired())
	return surge
}

// maxUnavailable is how many of the desired Pods may be unavailable; 0 unless the strategy is
// RollingUpdate.
func (r *rollout) maxUnavailable() int32 {
	if !r.rolling() || r.desired() == 0 {
		return 0
	}
	_, unavailable := bounds(r.d.Spec.Strategy.RollingUpdate, r.desired())
	return min(unavailable, r.desired())
}

// minAvailable is how many Pods must stay available.
func (r *rollout) minAvailable() int32 { return r.desired() - r.maxUnavailable() }

func (r *rollout) rolling() bool {
	return r.d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType
}

// grown is the size to which one of the ReplicaSets may grow now; its own size if it may not grow.
// With 10 desired, a surge of 3 and others of 8 and 2, it may have 3.
//
// Differs: all existing Pods of the other ReplicaSets count, not only those within their new sizes.
// Upstream adds up sizes alone, so for a moment there may be more Pods than maxSurge allows.
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
