package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// bounds resolves maxSurge, rounded up, and maxUnavailable, rounded down, of a number of desired replicas. Validation
// refuses that both are 0, but rounding may lead there: then one Pod may be unavailable, as surge might meet a quota.
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

// scaled is the number, or the percentage of total, that value says; 0 for none, and for one that validation would
// have refused.
func scaled(value *intstr.IntOrString, total int32, up bool) int32 {
	n, err := intstr.GetScaledValueFromIntOrPercent(intstr.ValueOrDefault(value, intstr.FromInt32(0)), int(total), up)
	if err != nil {
		return 0
	}
	return int32(n)
}

// maxSurge is how many Pods there may be beyond the desired ones; 0 unless the strategy is RollingUpdate.
func (r *rollout) maxSurge() int32 {
	if !r.rolling() {
		return 0
	}
	surge, _ := bounds(r.d.Spec.Strategy.RollingUpdate, r.desired())
	return surge
}

// maxUnavailable is how many of the desired Pods may be unavailable; 0 unless the strategy is RollingUpdate.
func (r *rollout) maxUnavailable() int32 {
	if !r.rolling() || r.desired() == 0 {
		return 0
	}
	_, unavailable := bounds(r.d.Spec.Strategy.RollingUpdate, r.desired())
	return min(unavailable, r.desired())
}

// minAvailable is how many Pods are to stay available.
func (r *rollout) minAvailable() int32 { return r.desired() - r.maxUnavailable() }

func (r *rollout) rolling() bool {
	return r.d.Spec.Strategy.Type != appsv1.RecreateDeploymentStrategyType
}
