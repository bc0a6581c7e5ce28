package horizontalpodautoscaler

import (
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// TestLimit has the numbers of Kubernetes' own tests.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal_test.go, TestConvertDesiredReplicasWithRules
func TestLimit(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		current, desired, least, most, want int32
		reason                              string
	}{
		{5, 7, 3, 8, 7, "DesiredWithinRange"},
		{3, 1, 2, 8, 2, "TooFewReplicas"},
		{1, 0, 0, 10, 0, "DesiredWithinRange"},
		{20, 1000, 1, 10, 10, "TooManyReplicas"},
		{3, 1000, 1, 2000, 6, "ScaleUpLimit"},
		{1, 10, 1, 2000, 4, "ScaleUpLimit"},
	} {
		if got := limit(row.current, row.desired, row.least, row.most); got.replicas != row.want || got.reason != row.reason {
			t.Errorf("%+v: %+v", row, got)
		}
	}
}

func rulesOf(choice autoscalingv2.ScalingPolicySelect, pods, podsSeconds, percent, percentSeconds int32) *autoscalingv2.HPAScalingRules {
	r := &autoscalingv2.HPAScalingRules{SelectPolicy: &choice}
	if pods > 0 {
		r.Policies = append(r.Policies, autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: pods, PeriodSeconds: podsSeconds})
	}
	if percent > 0 {
		r.Policies = append(r.Policies, autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: percent, PeriodSeconds: percentSeconds})
	}
	return r
}

// spread are changes of the last seconds, at equal intervals.
func spread(seconds int, changes ...int32) (marks []mark) {
	for i, n := range changes {
		after := time.Duration(float64(seconds)*float64(i+1)/float64(len(changes)+1)) * time.Second
		marks = append(marks, mark{n, now.Add(after - time.Duration(seconds)*time.Second)})
	}
	return marks
}

// TestLimitByRules has the numbers of Kubernetes' own tests.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal_test.go, TestScalingWithRules
func TestLimitByRules(t *testing.T) {
	t.Parallel()
	const most, least, off = autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect
	byDefault := rulesOf(most, 4, 15, 100, 15)
	for _, row := range []struct {
		name                          string
		ups, downs                    []mark
		up, down                      *autoscalingv2.HPAScalingRules
		min, max, current, desired, w int32
		reason                        string
	}{
		{name: "within", min: 3, max: 8, current: 5, desired: 7, w: 7, reason: "DesiredWithinRange"},
		{name: "too few", min: 2, max: 8, current: 3, desired: 1, w: 2, reason: "TooFewReplicas"},
		{name: "too many", min: 1, max: 10, current: 20, desired: 1000, w: 10, reason: "TooManyReplicas"},
		{name: "too many of many", min: 100, max: 150, current: 100, desired: 1000, w: 150, reason: "TooManyReplicas"},
		{name: "one per cent rounded up", up: rulesOf(most, 0, 0, 1, 60), min: 1, max: 2000, current: 3, desired: 1000, w: 4, reason: "ScaleUpLimit"},
		{name: "twenty fewer", down: rulesOf(most, 20, 60, 0, 0), min: 3, max: 2000, current: 1000, desired: 3, w: 980, reason: "ScaleDownLimit"},
		{name: "by default", min: 1, max: 1000, current: 10, desired: 50, w: 20, reason: "ScaleUpLimit"},
		{name: "Pods beat per cent", up: rulesOf(most, 100, 60, 100, 60), min: 1, max: 1000, current: 10, desired: 500, w: 110, reason: "ScaleUpLimit"},
		{name: "per cent beat Pods", up: rulesOf(most, 2, 60, 100, 60), min: 1, max: 1000, current: 10, desired: 500, w: 20, reason: "ScaleUpLimit"},
		{name: "the least change up", up: rulesOf(least, 2, 60, 100, 60), min: 1, max: 1000, current: 10, desired: 500, w: 12, reason: "ScaleUpLimit"},
		{name: "the least change down", down: rulesOf(least, 20, 60, 1, 60), min: 1, max: 1000, current: 100, desired: 2, w: 99, reason: "ScaleDownLimit"},
		{name: "not up", up: rulesOf(off, 2, 60, 100, 60), min: 1, max: 1000, current: 10, desired: 500, w: 10, reason: "ScaleUpLimit"},
		{name: "not down", down: rulesOf(off, 2, 60, 100, 60), min: 1, max: 1000, current: 10, desired: 2, w: 10, reason: "ScaleDownLimit"},
		{name: "far below the limit", up: rulesOf(most, 100, 60, 0, 0), min: 1, max: 1000, current: 10, desired: 50, w: 50, reason: "DesiredWithinRange"},
		{name: "200 per cent", up: rulesOf(most, 0, 0, 200, 60), min: 1, max: 1000, current: 10, desired: 50, w: 30, reason: "ScaleUpLimit"},
		{name: "the most down", down: rulesOf(most, 20, 60, 1, 60), min: 1, max: 1000, current: 100, desired: 2, w: 80, reason: "ScaleDownLimit"},
		{name: "down to the bound", down: rulesOf(most, 0, 0, 100, 60), min: 5, max: 1000, current: 10, desired: 2, w: 5, reason: "TooFewReplicas"},
		{name: "down to the policy", down: rulesOf(most, 5, 60, 0, 0), min: 1, max: 1000, current: 10, desired: 2, w: 5, reason: "ScaleDownLimit"},
		{name: "after ups, to the bound", ups: spread(120, 1, 5, 9), up: rulesOf(most, 300, 60, 0, 0), min: 1, max: 200, current: 100, desired: 500, w: 200, reason: "TooManyReplicas"},
		{name: "after ups, not at all", ups: spread(120, 1, 5, 9), up: rulesOf(most, 5, 120, 0, 0), min: 1, max: 1000, current: 100, desired: 500, w: 100, reason: "ScaleUpLimit"},
		{name: "after ups, what is left", ups: spread(120, 1, 5, 9), up: rulesOf(most, 150, 120, 0, 0), min: 1, max: 1000, current: 100, desired: 500, w: 235, reason: "ScaleUpLimit"},
		{name: "after ups, of what there was", ups: spread(120, 1, 5, 9), up: rulesOf(most, 0, 0, 200, 120), min: 1, max: 1000, current: 100, desired: 500, w: 255, reason: "ScaleUpLimit"},
		{name: "after both", ups: spread(120, 4), downs: spread(120, 2), up: rulesOf(most, 0, 0, 300, 300), min: 1, max: 1000, current: 6, desired: 24, w: 16, reason: "ScaleUpLimit"},
		{name: "after downs, not at all", downs: spread(120, 1, 5, 9), down: rulesOf(most, 5, 120, 0, 0), min: 1, max: 1000, current: 100, desired: 2, w: 100, reason: "ScaleDownLimit"},
		{name: "after downs, of what there was", downs: spread(120, 2, 4, 6), down: rulesOf(most, 0, 0, 50, 120), min: 1, max: 1000, current: 100, desired: 0, w: 56, reason: "ScaleDownLimit"},
		{name: "after both, down", ups: spread(120, 2), downs: spread(120, 4), down: rulesOf(most, 0, 0, 50, 180), min: 1, max: 1000, current: 10, desired: 1, w: 6, reason: "ScaleDownLimit"},
		{name: "below zero", downs: spread(120, 10, 10, 10), down: rulesOf(most, 0, 0, 1000, 120), min: 1, max: 1000, current: 10, desired: 5, w: 5, reason: "DesiredWithinRange"},
		{name: "what was longer ago", ups: spread(120, 8, 12, 9, 11), up: rulesOf(most, 1000, 30, 100, 60), min: 1, max: 1000, current: 100, desired: 200, w: 200, reason: "DesiredWithinRange"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if row.up == nil {
				row.up = byDefault
			}
			if row.down == nil {
				row.down = rulesOf(most, 0, 0, 100, 15)
			}
			y := sync{Snapshot: Snapshot{Target: Target{Replicas: row.current}, Now: now}, memory: memory{Ups: row.ups, Downs: row.downs},
				spec: &autoscalingv2.HorizontalPodAutoscalerSpec{MinReplicas: &row.min, MaxReplicas: row.max,
					Behavior: &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: row.up, ScaleDown: row.down}}}
			if got := y.limitByRules(row.desired); got.replicas != row.w || got.reason != row.reason {
				t.Errorf("it is %+v", got)
			}
		})
	}
}

// TestStabilizeByRules has the numbers of Kubernetes' own tests.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal_test.go, TestNormalizeDesiredReplicasWithBehavior
func TestStabilizeByRules(t *testing.T) {
	t.Parallel()
	ago := func(replicas int32, minutes int) mark {
		return mark{replicas, now.Add(-time.Duration(minutes) * time.Minute)}
	}
	for _, row := range []struct {
		name                   string
		was                    []mark
		current, proposed      int32
		upSeconds, downSeconds int32
		want                   int32
		remembered             int
		reason                 string
	}{
		{name: "nothing is known", current: 100, proposed: 5, want: 5, remembered: 1, reason: "ScaleDownStabilized"},
		{name: "down to the highest", was: []mark{ago(4, 2), ago(5, 1)}, current: 100, proposed: 3, downSeconds: 180, want: 5, remembered: 3, reason: "ScaleDownStabilized"},
		{name: "up to the lowest", was: []mark{ago(4, 2), ago(5, 1)}, current: 1, proposed: 7, upSeconds: 300, want: 4, remembered: 3, reason: "ScaleUpStabilized"},
		{name: "no window down", was: []mark{ago(1, 2), ago(2, 1)}, current: 100, proposed: 3, upSeconds: 300, want: 3, remembered: 3, reason: "ScaleDownStabilized"},
		{name: "no window up", was: []mark{ago(4, 2), ago(5, 1)}, current: 1, proposed: 3, downSeconds: 300, want: 3, remembered: 3, reason: "ScaleUpStabilized"},
		{name: "too old", was: []mark{ago(10, 10), ago(9, 9)}, current: 100, proposed: 3, want: 3, remembered: 1, reason: "ScaleDownStabilized"},
		{name: "some are too old", was: []mark{ago(10, 10), ago(9, 9), ago(5, 2), ago(4, 1)}, current: 100, proposed: 3, downSeconds: 180, want: 5, remembered: 3, reason: "ScaleDownStabilized"},
		{name: "not up where it goes down", was: []mark{ago(2, 100), ago(3, 3)}, current: 2, proposed: 1, upSeconds: 300, downSeconds: 300, want: 2, remembered: 2, reason: "ScaleDownStabilized"},
		{name: "not down where it goes up", was: []mark{ago(2, 100), ago(1, 3)}, current: 2, proposed: 3, upSeconds: 300, downSeconds: 300, want: 2, remembered: 2, reason: "ScaleUpStabilized"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			y := sync{Snapshot: Snapshot{Target: Target{Replicas: row.current}, Now: now}, memory: memory{Recommendations: row.was},
				spec: &autoscalingv2.HorizontalPodAutoscalerSpec{Behavior: &autoscalingv2.HorizontalPodAutoscalerBehavior{
					ScaleUp:   &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &row.upSeconds},
					ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &row.downSeconds},
				}}}
			got := y.stabilizeByRules(row.proposed)
			if got.replicas != row.want || got.reason != row.reason || len(y.memory.Recommendations) != row.remembered {
				t.Errorf("it is %+v, and remembered is %v", got, y.memory.Recommendations)
			}
		})
	}
}
