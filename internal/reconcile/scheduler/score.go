package scheduler

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
)

// Weights of the scores. Each score is between 0 and best.
// Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go, getDefaultPlugins.
const (
	taintWeight    = 3
	affinityWeight = 2
	spreadWeight   = 2
	mingledWeight  = 2
)

// place finds the best node for one more Pod of the class; -1 if none fits. A nominated node is
// preferred if it fits.
func (c *class) place(b *batch, pod *corev1.Pod) int {
	c.refresh(b)
	if c.barred() {
		return -1
	}
	if name := pod.Status.NominatedNodeName; name != "" {
		if k := c.position(b, b.indexOf(name)); k >= 0 && c.feasible(b, pod, k) {
			return int(c.allows[k])
		}
	}
	if c.topology == nil && !c.preferred {
		winner := -1
		for k := range c.allows {
			st := &c.standings[k]
			if (winner < 0 || st.beats(st.own, &c.standings[winner], c.standings[winner].own)) && c.feasible(b, pod, k) {
				winner = k
			}
		}
		if winner < 0 {
			return -1
		}
		return int(c.allows[winner])
	}
	b.feasible = b.feasible[:0]
	for k := range c.allows {
		if c.feasible(b, pod, k) {
			b.feasible = append(b.feasible, int32(k))
		}
	}
	if len(b.feasible) == 0 {
		return -1
	}
	return int(c.allows[c.choose(b)])
}

// position is the index of a node in allows; -1 if it is not there.
func (c *class) position(b *batch, node int) int {
	if len(c.allows) == len(b.nodes) {
		return node
	}
	k, found := slices.BinarySearch(c.allows, int32(node))
	if !found {
		return -1
	}
	return k
}

// feasible reports whether one more Pod fits on the k-th node that the static filters allow.
func (c *class) feasible(b *batch, pod *corev1.Pod, k int) bool {
	i := int(c.allows[k])
	if !c.standings[k].fits || c.topology != nil && len(c.topology.refuses(i).reasons) > 0 {
		return false
	}
	if c.volumes != nil && len(checkVolumes(c, &b.nodes[i]).reasons) > 0 {
		return false
	}
	if c.devices != nil && len(checkDevices(c, &b.nodes[i]).reasons) > 0 {
		return false
	}
	return len(b.nominees) == 0 || len(c.besideNominees(b, pod, i, &b.nodes[i]).reasons) == 0
}

// choose finds the best of the feasible nodes; there must be at least one.
func (c *class) choose(b *batch) (winner int) {
	c.turn++
	var taints, wishes int64
	for _, k := range b.feasible {
		taints, wishes = max(taints, c.standings[k].taints), max(wishes, c.standings[k].wishes)
	}
	uneven, mingled := c.uneven(b), c.mingled(b)
	winner = -1
	most := int64(0)
	for _, k := range b.feasible {
		st := &c.standings[k]
		score := st.own
		if c.preferred {
			score += taintWeight*(best-share(st.taints, taints)) + affinityWeight*share(st.wishes, wishes)
		}
		if uneven.counts {
			score += spreadWeight * uneven.evenness(st.uneven)
		}
		if mingled.counts {
			score += mingledWeight * mingled.share(st.mingled)
		}
		if winner < 0 || st.beats(score, &c.standings[winner], most) {
			winner, most = int(k), score
		}
	}
	return winner
}

// uneven computes, for each feasible node, the raw score of the class's preferred spreads: more is
// worse, and -1 means no score.
func (c *class) uneven(b *batch) bounds {
	if c.topology == nil || len(c.topology.soft) == 0 {
		return bounds{}
	}
	t := c.topology
	scored := 0
	for _, k := range b.feasible {
		st := &c.standings[k]
		st.uneven = 0
		if t.everywhere && slices.ContainsFunc(t.soft, func(s *spread) bool { return s.of[c.allows[k]] < 0 }) {
			st.uneven = -1
			continue
		}
		scored++
	}
	weights := make([]float64, len(t.soft))
	for at, s := range t.soft {
		weights[at] = math.Log(float64(c.domainsAmong(b, s, scored) + 2))
	}
	r := bounds{counts: true, least: math.MaxInt64}
	for _, k := range b.feasible {
		st := &c.standings[k]
		if st.uneven < 0 {
			continue
		}
		node, sum := c.allows[k], 0.0
		for at, s := range t.soft {
			if d := s.of[node]; d >= 0 {
				if s.byNode {
					d = node
				}
				sum += float64(s.count[d])*weights[at] + float64(s.maxSkew-1)
			}
		}
		st.uneven = int64(math.Round(sum))
		r.see(st.uneven)
	}
	return r
}

// domainsAmong is the number of domains of the feasible nodes, given that scored of them are
// scored. All nodes without the label are one domain.
func (c *class) domainsAmong(b *batch, s *spread, scored int) int {
	if s.byNode {
		return scored
	}
	n, nowhere := 0, 0
	for _, k := range b.feasible {
		switch d := s.of[c.allows[k]]; {
		case c.standings[k].uneven < 0:
		case d < 0:
			nowhere = 1
		case s.stamp[d] != c.turn:
			s.stamp[d] = c.turn
			n++
		}
	}
	return n + nowhere
}

// mingled adds up, for each feasible node, the preferences of the class's Pods for the Pods near
// it, and of those Pods for the class's.
func (c *class) mingled(b *batch) bounds {
	if c.topology == nil || len(c.topology.liked) == 0 {
		return bounds{}
	}
	r := bounds{counts: true, least: math.MaxInt64, most: math.MinInt64}
	for _, k := range b.feasible {
		sum := int64(0)
		for _, liked := range c.topology.liked {
			sum += liked.at(int(c.allows[k]))
		}
		c.standings[k].mingled = sum
		r.see(sum)
	}
	return r
}

// beats compares a node with one that precedes it by name.
func (s *standing) beats(score int64, o *standing, than int64) bool {
	switch {
	case score != than:
		return score > than
	case s.placed != o.placed:
		return s.placed < o.placed
	}
	return s.load < o.load
}

// refresh counts in the placements since the class was last used.
func (c *class) refresh(b *batch) {
	if !c.filled {
		c.fill(b)
	}
	for ; c.seen < len(b.log); c.seen++ {
		e := &b.log[c.seen]
		if k := c.position(b, e.node); k >= 0 {
			c.weigh(b, k)
		}
		if c.topology != nil {
			placed := e.by.party
			placed.namespace, placed.labels = e.pod.Namespace, e.pod.Labels
			c.topology.apply(c.effects(b, &placed), e.node, 1)
		}
	}
}

// fill finds the nodes that the static filters allow, and computes their static scores.
func (c *class) fill(b *batch) {
	c.filled = true
	preferred := c.preferredTerms()
	try := func(i int) {
		n := &b.nodes[i]
		if !c.allowed(n) {
			return
		}
		st := standing{taints: c.shunned(n)}
		if preferred != nil {
			st.wishes = preferred.Score(n.Object)
		}
		c.preferred = c.preferred || st.taints > 0 || st.wishes > 0
		c.allows, c.standings = append(c.allows, int32(i)), append(c.standings, st)
	}
	if c.named == nil {
		c.allows, c.standings = make([]int32, 0, len(b.nodes)), make([]standing, 0, len(b.nodes))
		for i := range b.nodes {
			try(i)
		}
	}
	for _, name := range c.named { // sorted, as the nodes are
		if i := b.indexOf(name); i >= 0 {
			try(i)
		}
	}
	for k := range c.allows {
		c.weigh(b, k)
	}
	if c.topology = c.newTopology(b); c.topology == nil {
		c.seen = len(b.log)
	}
}

// weigh scores the free resources of the k-th allowed node.
func (c *class) weigh(b *batch, k int) {
	n, st := &b.nodes[c.allows[k]], &c.standings[k]
	st.fits = c.fitsIn(n) && len(checkPorts(c, n).reasons) == 0
	if st.fits {
		st.own, st.load = c.leastAllocated(n)+c.balanced(n), n.load()
	}
}

// leastAllocated prefers nodes with the smallest requested share.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/noderesources/least_allocated.go.
func (c *class) leastAllocated(n *Node) int64 {
	sum, resources := int64(0), int64(0)
	for _, r := range [2][2]int64{
		{n.Used.WeightMilliCPU + c.request.WeightMilliCPU, n.Allocatable.MilliCPU},
		{n.Used.WeightMemoryBytes + c.request.WeightMemoryBytes, n.Allocatable.MemoryBytes},
	} {
		requested, has := r[0], r[1]
		if has == 0 {
			continue
		}
		resources++
		if requested <= has {
			sum += (has - requested) * best / has
		}
	}
	if resources == 0 {
		return 0
	}
	return sum / resources
}

// balanced prefers nodes where the Pod makes the requested shares of CPU and memory more equal. It
// does not score Pods that request neither.
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go.
func (c *class) balanced(n *Node) int64 {
	if c.request.MilliCPU == 0 && c.request.MemoryBytes == 0 {
		return 0
	}
	with := balance(n.Used.MilliCPU+c.request.MilliCPU, n.Used.MemoryBytes+c.request.MemoryBytes, n)
	return best/2 + (best/2+with-balance(n.Used.MilliCPU, n.Used.MemoryBytes, n))/2
}

func balance(cpu, memory int64, n *Node) int64 {
	if n.Allocatable.MilliCPU == 0 || n.Allocatable.MemoryBytes == 0 {
		return best
	}
	a := min(1, float64(cpu)/float64(n.Allocatable.MilliCPU))
	m := min(1, float64(memory)/float64(n.Allocatable.MemoryBytes))
	return int64((1 - math.Abs(a-m)/2) * best)
}

// load is the requested shares of the node's CPU and memory, each in millionths, added up.
func (n *Node) load() int64 {
	share := func(used, has int64) int64 {
		if has <= 0 {
			return 1_000_000
		}
		return int64(float64(used) / float64(has) * 1_000_000)
	}
	return share(n.Used.WeightMilliCPU, n.Allocatable.MilliCPU) + share(n.Used.WeightMemoryBytes, n.Allocatable.MemoryBytes)
}

// shunned is how many of the node's taints the Pods prefer to avoid.
func (c *class) shunned(n *Node) (taints int64) {
	for i := range n.Object.Spec.Taints {
		t := &n.Object.Spec.Taints[i]
		if t.Effect == corev1.TaintEffectPreferNoSchedule &&
			!corev1helpers.TolerationsTolerateTaint(klog.Logger{}, c.pod.Spec.Tolerations, t, false) {
			taints++
		}
	}
	return taints
}

// preferredTerms are the class's preferred node affinity; nil if it has none.
func (c *class) preferredTerms() *nodeaffinity.PreferredSchedulingTerms {
	a := c.pod.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || len(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) == 0 {
		return nil
	}
	terms, err := nodeaffinity.NewPreferredSchedulingTerms(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	if err != nil {
		return nil // what cannot be parsed is not a preference
	}
	return terms
}

// give assigns the Pod to the node.
func (b *batch) give(c *class, pod *corev1.Pod, node int) {
	b.nodes[node].add(c.request, c.ports)
	c.standings[c.position(b, node)].placed++
	b.log = append(b.log, placement{node: node, by: c, pod: pod})
	b.version++
}
