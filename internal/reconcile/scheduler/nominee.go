package scheduler

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// besideNominees says why the Pod may not have a node once the Pods are there for which room is
// reserved and whose priority is not lower.
// Source: kubernetes v1.36 pkg/scheduler/framework/runtime/framework.go, RunFilterPluginsWithNominatedPods.
func (c *class) besideNominees(b *batch, pod *corev1.Pod, i int, n *Node) refusal {
	nominees := b.nominees[i]
	if !slices.ContainsFunc(nominees, func(w *nominee) bool { return w.before(c, pod) }) {
		return refusal{}
	}
	full := *n
	full.Ports = slices.Clip(full.Ports)
	count := func(times int64) {
		for _, w := range nominees {
			if w.before(c, pod) && c.topology != nil {
				c.topology.apply(c.effects(b, &w.party), i, times)
			}
		}
	}
	for _, w := range nominees {
		if w.before(c, pod) {
			full.add(w.request, w.ports)
		}
	}
	count(1)
	defer count(-1)
	return c.check(&full)
}

// before reports whether a nominated Pod's reservation holds against a Pod of the class.
func (w *nominee) before(c *class, pod *corev1.Pod) bool {
	return w.uid != pod.UID && int64(w.priority) >= c.priority
}

// nominate reserves room on a node for a Pod, and releases any room reserved for it elsewhere.
func (b *batch) nominate(w *nominee, node int) {
	b.withdraw(w.uid)
	b.nominees[node] = append(b.nominees[node], w)
	b.version++
}

// withdraw releases the room that is reserved for a Pod.
func (b *batch) withdraw(uid types.UID) {
	for node, nominees := range b.nominees {
		i := slices.IndexFunc(nominees, func(w *nominee) bool { return w.uid == uid })
		if i < 0 {
			continue
		}
		if nominees = slices.Delete(slices.Clone(nominees), i, i+1); len(nominees) == 0 {
			delete(b.nominees, node)
		} else {
			b.nominees[node] = nominees
		}
		b.version++
		return
	}
}
