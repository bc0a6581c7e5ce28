package horizontalpodautoscaler

import (
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// The reasons and messages of the conditions AbleToScale and ScalingLimited.
const (
	stabilizedDown = "recent recommendations were higher than current one, applying the highest recent recommendation"
	stabilizedUp   = "recent recommendations were lower than current one, applying the lowest recent recommendation"
	tooFast        = "the desired replica count is increasing faster than the maximum scale rate"
	tooFastDown    = "the desired replica count is decreasing faster than the maximum scale rate"
	tooMany        = "the desired replica count is more than the maximum replica count"
	tooFew         = "the desired replica count is less than the minimum replica count"
)

// verdict is a number of replicas and the reason for it.
type verdict struct {
	replicas        int32
	reason, message string
}

func within(replicas int32) verdict {
	return verdict{replicas, "DesiredWithinRange", "the desired count is within the acceptable range"}
}

// normalize is how many replicas the target gets, given the proposal of the metrics: it stabilizes
// the proposal, keeps it within the bounds and the allowed rate, and records it.
func (y *sync) normalize(proposed int32) int32 {
	var stable, limited verdict
	if y.spec.Behavior == nil {
		stable = y.stabilize(proposed)
		limited = limit(y.Target.Replicas, stable.replicas, y.least(), y.spec.MaxReplicas)
	} else {
		stable = y.stabilizeByRules(proposed)
		limited = y.limitByRules(stable.replicas)
	}
	if stable.replicas == proposed {
		stable.reason, stable.message = "ReadyForNewScale", "recommended size matches current size"
	}
	y.condition(autoscalingv2.AbleToScale, corev1.ConditionTrue, stable.reason, stable.message)
	status := corev1.ConditionFalse
	if limited.replicas != stable.replicas {
		status = corev1.ConditionTrue
	}
	y.condition(autoscalingv2.ScalingLimited, status, limited.reason, limited.message)
	return limited.replicas
}

// stabilize is the highest proposal of the last five minutes.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, stabilizeRecommendation
func (y *sync) stabilize(proposed int32) verdict {
	y.memory.forget(y.Now.Add(-defaultStabilization))
	highest := proposed
	for _, r := range y.memory.Recommendations {
		highest = max(highest, r.Replicas)
	}
	y.memory.recommend(proposed, y.Now)
	return verdict{highest, "ScaleDownStabilized", stabilizedDown}
}

// limit keeps a number within the bounds, and limits a single increase to twice the current number,
// or to four.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, convertDesiredReplicasWithRules
func limit(current, desired, least, most int32) verdict {
	over := verdict{most, "TooManyReplicas", tooMany}
	if fastest := clamped(math.Max(scaleUpLimitFactor*float64(current), scaleUpLimitMinimum)); most > fastest {
		over = verdict{fastest, "ScaleUpLimit", tooFast}
	}
	switch {
	case desired < least:
		return verdict{least, "TooFewReplicas", tooFew}
	case desired > over.replicas:
		return over
	}
	return within(desired)
}

// seconds is a number of seconds; the default if it is nil.
func seconds(n *int32, otherwise time.Duration) time.Duration {
	if n == nil {
		return otherwise
	}
	return time.Duration(*n) * time.Second
}

// stabilizeByRules keeps the current number of replicas as far as the proposals within the windows
// allow.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, stabilizeRecommendationWithBehaviors
func (y *sync) stabilizeByRules(proposed int32) verdict {
	up, down := y.rules()
	upWindow, downWindow := seconds(up.StabilizationWindowSeconds, 0), seconds(down.StabilizationWindowSeconds, defaultStabilization)
	y.memory.forget(y.Now.Add(-max(upWindow, downWindow, defaultStabilization)))
	least, most := proposed, proposed
	for _, r := range y.memory.Recommendations {
		if r.At.After(y.Now.Add(-upWindow)) {
			least = min(least, r.Replicas)
		}
		if r.At.After(y.Now.Add(-downWindow)) {
			most = max(most, r.Replicas)
		}
	}
	y.memory.recommend(proposed, y.Now)
	v := verdict{min(max(y.Target.Replicas, least), most), "ScaleDownStabilized", stabilizedDown}
	if proposed >= y.Target.Replicas {
		v.reason, v.message = "ScaleUpStabilized", stabilizedUp
	}
	return v
}

// rules are the scaling rules, with the API's defaults.
func (y *sync) rules() (up, down autoscalingv2.HPAScalingRules) {
	if r := y.spec.Behavior.ScaleUp; r != nil {
		up = *r
	}
	if r := y.spec.Behavior.ScaleDown; r != nil {
		down = *r
	}
	return up, down
}

// limitByRules keeps a number within the bounds and the policies.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, convertDesiredReplicasWithBehaviorRate
func (y *sync) limitByRules(desired int32) verdict {
	current := y.Target.Replicas
	up, down := y.rules()
	if desired > current {
		most := verdict{y.spec.MaxReplicas, "TooManyReplicas", tooMany}
		if fastest := max(y.fastestUp(up), current); most.replicas > fastest {
			most = verdict{fastest, "ScaleUpLimit", tooFast}
		}
		if desired > most.replicas {
			return most
		}
	}
	if desired < current {
		least := verdict{y.least(), "TooFewReplicas", tooFew}
		if fastest := min(y.fastestDown(down), current); least.replicas < fastest {
			least = verdict{fastest, "ScaleDownLimit", tooFastDown}
		}
		if desired < least.replicas {
			return least
		}
	}
	return within(desired)
}

// atStart is how many replicas there were at the start of a period that ends now.
func (y *sync) atStart(periodSeconds int32) int32 {
	period := time.Duration(periodSeconds) * time.Second
	return y.Target.Replicas - changed(y.memory.Ups, period, y.Now) + changed(y.memory.Downs, period, y.Now)
}

// fastestUp is the highest number of replicas that the policies allow.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, calculateScaleUpLimitWithScalingRules
func (y *sync) fastestUp(rules autoscalingv2.HPAScalingRules) int32 {
	return y.chosen(rules, true, func(start float64, p autoscalingv2.HPAScalingPolicy) int32 {
		if p.Type == autoscalingv2.PodsScalingPolicy {
			return clamped(start + float64(p.Value))
		}
		return clamped(start * (1 + float64(p.Value)/100)) // rounded up, so that small numbers grow at all
	})
}

// fastestDown is the lowest number of replicas that the policies allow.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, calculateScaleDownLimitWithBehaviors
func (y *sync) fastestDown(rules autoscalingv2.HPAScalingRules) int32 {
	return y.chosen(rules, false, func(start float64, p autoscalingv2.HPAScalingPolicy) int32 {
		if p.Type == autoscalingv2.PodsScalingPolicy {
			return clamped(start - float64(p.Value))
		}
		return clamped(math.Trunc(start * (1 - float64(p.Value)/100)))
	})
}

// chosen is the number that the selected policy allows: among several, the one with the greatest or
// with the smallest change. upward is true if replicas are added, so that the greatest change leads
// to the highest number.
func (y *sync) chosen(rules autoscalingv2.HPAScalingRules, upward bool, allowed func(start float64, p autoscalingv2.HPAScalingPolicy) int32) int32 {
	choice := autoscalingv2.MaxChangePolicySelect
	if rules.SelectPolicy != nil {
		choice = *rules.SelectPolicy
	}
	if choice == autoscalingv2.DisabledPolicySelect {
		return y.Target.Replicas
	}
	highest, result := (choice == autoscalingv2.MinChangePolicySelect) != upward, int32(math.MaxInt32)
	if highest {
		result = math.MinInt32
	}
	for _, p := range rules.Policies {
		n := allowed(float64(y.atStart(p.PeriodSeconds)), p)
		if highest {
			result = max(result, n)
		} else {
			result = min(result, n)
		}
	}
	return result
}

// clamped is x rounded up and clamped to the range of a number of replicas.
func clamped(x float64) int32 {
	return int32(math.Ceil(math.Max(math.MinInt32, math.Min(x, math.MaxInt32))))
}
