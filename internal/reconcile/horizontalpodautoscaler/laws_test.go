package horizontalpodautoscaler

import (
	"math"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// loop is a target under a load that its Pods share, and its autoscaler.
type loop struct {
	hpa      *autoscalingv2.HorizontalPodAutoscaler
	replicas int32
	memory   []byte
	now      time.Time
	lawful   int // every how manieth sync the laws are tried
	syncs    int
}

// sync reconciles under a load in thousandths of a core, and returns how many Pods there were
// before.
func (l *loop) sync(t *rapid.T, load int64) (was int32) {
	was = l.replicas
	values := make([]int64, was)
	for i := range values {
		values[i] = load / int64(was)
	}
	s := snapshot(l.hpa, was, values...)
	s.Memory, s.Now = l.memory, l.now
	for name, sample := range s.Readings[0].Samples {
		sample.At = l.now
		s.Readings[0].Samples[name] = sample
	}
	p := Reconcile(s)
	if l.syncs++; l.syncs%l.lawful == 1 {
		p = laws.Check(t, Reconcile, s)
	}
	if len(p.Creates)+len(p.Deletes) > 0 {
		t.Fatalf("the plan is\n%s", p)
	}
	for _, u := range p.Updates {
		switch o := u.Object.(type) {
		case *appsv1.Deployment:
			l.replicas = *o.Spec.Replicas
		case *autoscalingv2.HorizontalPodAutoscaler:
			if o.Status.CurrentReplicas != was {
				t.Fatalf("%d Pods are told of, and there are %d", o.Status.CurrentReplicas, was)
			}
			l.hpa = o
		}
	}
	if p.WakeAt != l.now.Add(Period) {
		t.Fatalf("at %s it asks to be woken at %s", l.now, p.WakeAt)
	}
	if len(p.Memory) > 20_000 {
		t.Fatalf("%d bytes are remembered", len(p.Memory))
	}
	l.memory, l.now = p.Memory, p.WakeAt
	return was
}

// drawnRules are any rules that the API admits, with short periods and windows.
func drawnRules(t *rapid.T, name string) *autoscalingv2.HPAScalingRules {
	window := rapid.Int32Range(0, 400).Draw(t, name+" window")
	choice := rapid.SampledFrom([]autoscalingv2.ScalingPolicySelect{"Max", "Min", "Disabled"}).Draw(t, name+" choice")
	r := &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &window, SelectPolicy: &choice}
	for range rapid.IntRange(1, 2).Draw(t, name+" policies") {
		r.Policies = append(r.Policies, autoscalingv2.HPAScalingPolicy{
			Type:          rapid.SampledFrom([]autoscalingv2.HPAScalingPolicyType{autoscalingv2.PodsScalingPolicy, autoscalingv2.PercentScalingPolicy}).Draw(t, name+" type"),
			Value:         rapid.Int32Range(1, 120).Draw(t, name+" value"),
			PeriodSeconds: rapid.Int32Range(1, 60).Draw(t, name+" period"),
		})
	}
	return r
}

// needed is how many Pods a load requires, given how many exist.
func needed(load int64, pods int32) int32 {
	percent := load / int64(pods) * 100 / 2000
	if ratio := float64(percent) / 50; ratio < 0.9 || ratio > 1.1 {
		return int32(math.Ceil(ratio * float64(pods)))
	}
	return pods
}

// TestLaw_ALoadIsFollowed: whatever the load and the rules, the number of Pods stays within its
// bounds, does not fall below what was needed within the stabilization window, and settles when the
// load does.
func TestLaw_ALoadIsFollowed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Int32Range(1, 5).Draw(t, "least")
		most := least + rapid.Int32Range(0, 15).Draw(t, "more")
		l := &loop{hpa: autoscaler(bounds(least, most)), replicas: rapid.Int32Range(0, 20).Draw(t, "replicas"), now: now, lawful: 16}
		window := defaultStabilization
		if rapid.Bool().Draw(t, "rules") {
			byRules(autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: drawnRules(t, "up"), ScaleDown: drawnRules(t, "down")})(l.hpa)
			window = seconds(l.hpa.Spec.Behavior.ScaleDown.StabilizationWindowSeconds, 0)
		}
		off := l.replicas == 0
		l.memory = memory{Due: now}.encode()
		var needs []mark
		var load int64
		settled := 0
		for i := range 300 {
			if i < 60 && (i == 0 || rapid.IntRange(0, 3).Draw(t, "change") == 0) {
				load = rapid.Int64Range(0, 20_000).Draw(t, "load")
			}
			at := l.now
			if n := l.replicas; n >= least && n <= most {
				needs = append(needs, mark{needed(load, n), at})
			}
			was := l.sync(t, load)
			var highest int32
			for _, m := range needs {
				if at.Sub(m.At) < window {
					highest = max(highest, min(m.Replicas, most))
				}
			}
			switch {
			case off && l.replicas != 0:
				t.Fatal("what is switched off was scaled")
			case !off && (l.replicas < least || l.replicas > most):
				t.Fatalf("%d Pods, and the bounds are %d and %d", l.replicas, least, most)
			case l.replicas < was && l.replicas < highest:
				t.Fatalf("lowered to %d at %s, and %d were needed within %s", l.replicas, at, highest, window)
			}
			if settled++; l.replicas != was {
				settled = 0
			}
		}
		if settled < 40 {
			t.Fatalf("the load has been %d for an hour, and the last change was %d syncs ago", load, settled)
		}
	})
}
