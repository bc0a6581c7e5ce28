package scheduler

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// failure is why no node fits a Pod, and what can be done about it.
type failure struct {
	message  string
	room     *room // what can be deleted to make room; nil if nothing
	hopeless bool  // nothing can be done, so that a nominated node is withdrawn
}

// fail determines why no node fits. Until the batch changes something the result is the same for
// all Pods of the class, except those with a nominated node.
// Source: kubernetes v1.36 pkg/scheduler/framework/types.go, FitError.Error; framework/preemption/preemption.go,
// Preempt; framework/plugins/defaultpreemption/default_preemption.go.
func (c *class) fail(b *batch, pod *corev1.Pod) failure {
	if pod.Status.NominatedNodeName != "" {
		return c.diagnose(b, pod)
	}
	if c.failedAt == b.version+1 {
		return c.failure
	}
	f := c.diagnose(b, pod)
	c.failedAt, c.failure = b.version+1, f
	return f
}

func (c *class) diagnose(b *batch, pod *corev1.Pod) failure {
	if len(b.nodes) == 0 {
		return failure{message: "no nodes available to schedule pods", hopeless: true}
	}
	refusals := make([]refusal, len(b.nodes))
	counts := map[string]int{}
	for i := range b.nodes {
		refusals[i] = c.refusal(b, pod, i)
		if !c.barred() {
			for _, reason := range refusals[i].reasons {
				counts[reason]++
			}
		}
	}
	message := unavailable(len(b.nodes), counts)
	if c.conflict {
		message = "0/" + strconv.Itoa(len(b.nodes)) + " nodes are available: pod affinity terms conflict."
	}
	if why := c.problem(); why != "" {
		message = "0/" + strconv.Itoa(len(b.nodes)) + " nodes are available: " + why + "."
	}
	if why := c.mayNotPreempt(b, pod, refusals); why != "" {
		return failure{message: message + " preemption: " + why}
	}
	found, without := c.findRoom(b, pod, refusals)
	if found != nil {
		return failure{message: message, room: found}
	}
	return failure{message: message + " preemption: " + unavailable(len(b.nodes), without), hopeless: true}
}

// refusal is why a Pod may not run on a node.
func (c *class) refusal(b *batch, pod *corev1.Pod, i int) refusal {
	if c.barred() {
		return refusedByName
	}
	n := &b.nodes[i]
	if c.named != nil {
		if _, named := slices.BinarySearch(c.named, n.Object.Name); !named {
			return refusedByName
		}
	}
	if r := c.check(n); len(r.reasons) > 0 {
		return r
	}
	return c.besideNominees(b, pod, i, n)
}

// unavailable formats, for example, "0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods."
func unavailable(nodes int, counts map[string]int) string {
	parts := make([]string, 0, len(counts))
	for reason, n := range counts {
		parts = append(parts, strconv.Itoa(n)+" "+reason)
	}
	slices.Sort(parts)
	return "0/" + strconv.Itoa(nodes) + " nodes are available: " + strings.Join(parts, ", ") + "."
}
