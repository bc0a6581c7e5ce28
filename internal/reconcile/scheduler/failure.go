package scheduler

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// failure is why no node was left for the class: what the filters refused, and that removing other Pods would not
// help either. It is worked out once per batch, as nodes only fill up within one.
// Source: kubernetes v1.36 pkg/scheduler/framework/types.go, FitError.Error; framework/preemption/preemption.go,
// Preempt; framework/plugins/defaultpreemption/default_preemption.go.
func (c *class) failure(b *batch) string {
	if c.hopeless != "" {
		return c.hopeless
	}
	if len(b.nodes) == 0 {
		c.hopeless = "no nodes available to schedule pods"
		return c.hopeless
	}
	filtered, preemption := map[string]int{}, map[string]int{}
	for i := range b.nodes {
		n := &b.nodes[i]
		r := refusedByName
		if c.named == nil || slices.Contains(c.named, n.Object.Name) {
			r = c.check(n)
		}
		for _, reason := range r.reasons {
			filtered[reason]++
		}
		if r.final {
			preemption["Preemption is not helpful for scheduling"]++
		} else {
			preemption["No preemption victims found for incoming pod"]++
		}
	}
	text := "preemption: " + unavailable(len(b.nodes), preemption)
	if p := c.pod.Spec.PreemptionPolicy; p != nil && *p == corev1.PreemptNever {
		text = "preemption: not eligible due to preemptionPolicy=Never."
	}
	c.hopeless = unavailable(len(b.nodes), filtered) + " " + text
	return c.hopeless
}

// unavailable is "0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods."
func unavailable(nodes int, counts map[string]int) string {
	parts := make([]string, 0, len(counts))
	for reason, n := range counts {
		parts = append(parts, strconv.Itoa(n)+" "+reason)
	}
	slices.Sort(parts)
	return "0/" + strconv.Itoa(nodes) + " nodes are available: " + strings.Join(parts, ", ") + "."
}
