package horizontalpodautoscaler

import (
	"encoding/json"
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// memory is what a sync stores for the next one. It is bounded: a mark is dropped when no window or
// period reaches it any more.
type memory struct {
	// Due is when the autoscaler is reconciled next.
	Due time.Time `json:"due"`
	// Recommendations are the proposals before stabilization, oldest first. Of consecutive equal
	// ones only the latest is kept.
	Recommendations []mark `json:"recommendations,omitempty"`
	// Ups and Downs are by how many replicas the target was scaled, oldest first.
	Ups   []mark `json:"ups,omitempty"`
	Downs []mark `json:"downs,omitempty"`
}

// mark is a number of replicas at a time.
type mark struct {
	Replicas int32     `json:"replicas"`
	At       time.Time `json:"at"`
}

// decode reads a memory; false if none exists.
func decode(remembered []byte) (m memory, known bool) {
	if json.Unmarshal(remembered, &m) != nil || m.Due.IsZero() {
		return memory{}, false // a memory that does not parse is not ours
	}
	return m, true
}

func (m memory) encode() []byte {
	doc, err := json.Marshal(m)
	if err != nil {
		return nil // it fails only for years after 9999, which need not be stored
	}
	return doc
}

// recommend records a proposal.
func (m *memory) recommend(replicas int32, now time.Time) {
	next := mark{replicas, now.UTC()}
	if n := len(m.Recommendations); n > 0 && m.Recommendations[n-1].Replicas == replicas {
		m.Recommendations[n-1] = next
		return
	}
	m.Recommendations = append(m.Recommendations, next)
}

// forget drops the recommendations from before a time.
func (m *memory) forget(before time.Time) {
	m.Recommendations = since(m.Recommendations, before)
}

// scaled records that the target was scaled. Only an autoscaler with rules needs this.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, storeScaleEvent
func (m *memory) scaled(rules *autoscalingv2.HorizontalPodAutoscalerBehavior, from, to int32, now time.Time) {
	if rules == nil {
		m.Ups, m.Downs = nil, nil
		return
	}
	m.Ups = since(m.Ups, now.Add(-longestPeriod(rules)))
	m.Downs = since(m.Downs, now.Add(-longestPeriod(rules)))
	if to > from {
		m.Ups = append(m.Ups, mark{to - from, now.UTC()})
	} else {
		m.Downs = append(m.Downs, mark{from - to, now.UTC()})
	}
}

// since are the marks that are not older than a time.
func since(marks []mark, before time.Time) []mark {
	return slices.DeleteFunc(marks, func(m mark) bool { return m.At.Before(before) })
}

// longestPeriod is the longest period of the policies.
func longestPeriod(rules *autoscalingv2.HorizontalPodAutoscalerBehavior) time.Duration {
	var seconds int32
	for _, r := range []*autoscalingv2.HPAScalingRules{rules.ScaleUp, rules.ScaleDown} {
		if r == nil {
			continue
		}
		for _, p := range r.Policies {
			seconds = max(seconds, p.PeriodSeconds)
		}
	}
	return time.Duration(seconds) * time.Second
}

// changed is by how many replicas the target was scaled within a period.
//
// Source: kubernetes v1.36 pkg/controller/podautoscaler/horizontal.go, getReplicasChangePerPeriod
func changed(marks []mark, period time.Duration, now time.Time) (replicas int32) {
	for _, m := range marks {
		if m.At.After(now.Add(-period)) {
			replicas += m.Replicas
		}
	}
	return replicas
}
