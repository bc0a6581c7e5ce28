package scheduler

import (
	"k8s.io/apimachinery/pkg/labels"
)

// topology is how existing Pods affect where a class's Pods may and should go. It is counted from
// the cluster's groups when the class first needs a node, and updated with the batch's placements.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go and scoring.go.
type topology struct {
	existing []*tally // Pods whose anti-affinity keeps the class away, by label
	far      []*tally // Pods that the class's anti-affinity avoids, by term
	near     []*tally // Pods that all terms of the class's affinity select, by term
	anyNear  int64    // the sum over near
	alike    bool     // the class's Pods match their own affinity
	liked    []*tally // weights of preferences, including those of other Pods for the class, by label

	hard, soft []*spread
	// everywhere is true if nodes that lack one of soft's labels get no score for any of them.
	everywhere bool
}

// tally counts something by domain.
type tally struct {
	*domains
	key   string
	count []int64 // by domain
}

func (b *batch) tally(key string) *tally {
	d := b.domains(key)
	return &tally{domains: d, key: key, count: make([]int64, d.n)}
}

// tallyIn is the tally for a key in a list. It is added if it is missing.
func (b *batch) tallyIn(list *[]*tally, key string) *tally {
	for _, t := range *list {
		if t.key == key {
			return t
		}
	}
	t := b.tally(key)
	*list = append(*list, t)
	return t
}

// at is the count of a node's domain.
func (t *tally) at(node int) int64 {
	if d := t.of[node]; d >= 0 {
		return t.count[d]
	}
	return 0
}

// effect is what one Pod of a kind, on any node, adds to a count.
type effect struct {
	tally  *tally
	spread *spread
	near   bool
	n      int64
}

// hardPodAffinityWeight is the weight of an existing Pod's required affinity for the Pods that it
// selects.
// Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/defaults.go, DefaultHardPodAffinityWeight.
const hardPodAffinityWeight = 1

// effects are what a Pod like p adds to the class's counts.
func (c *class) effects(b *batch, p *party) []effect {
	t := c.topology
	var out []effect
	self := &c.party
	if c.terms != nil {
		for i := range c.terms.antiAffinity {
			if c.terms.antiAffinity[i].selects(b, p) {
				out = append(out, effect{tally: t.far[i], n: 1})
			}
		}
		if selectedByAll(b, c.terms.affinity, p) {
			for i := range c.terms.affinity {
				out = append(out, effect{tally: t.near[i], near: true, n: 1})
			}
		}
		for i := range c.terms.preferred {
			if term := &c.terms.preferred[i]; term.selects(b, p) {
				out = append(out, effect{tally: b.tallyIn(&t.liked, term.key), n: term.weight})
			}
		}
	}
	if p.terms != nil {
		for i := range p.terms.antiAffinity {
			if term := &p.terms.antiAffinity[i]; term.selects(b, self) {
				out = append(out, effect{tally: b.tallyIn(&t.existing, term.key), n: 1})
			}
		}
		for i := range p.terms.affinity {
			if term := &p.terms.affinity[i]; term.selects(b, self) {
				out = append(out, effect{tally: b.tallyIn(&t.liked, term.key), n: hardPodAffinityWeight})
			}
		}
		for i := range p.terms.preferred {
			if term := &p.terms.preferred[i]; term.selects(b, self) {
				out = append(out, effect{tally: b.tallyIn(&t.liked, term.key), n: term.weight})
			}
		}
	}
	if p.namespace == c.party.namespace && !p.going {
		for _, list := range [2][]*spread{t.hard, t.soft} {
			for _, s := range list {
				if s.selector.Matches(labels.Set(p.labels)) && !s.selector.Empty() {
					out = append(out, effect{spread: s, n: 1})
				}
			}
		}
	}
	return out
}

// apply adds the effects of a number of Pods on a node.
func (t *topology) apply(effects []effect, node int, pods int64) {
	for _, e := range effects {
		if e.spread != nil {
			e.spread.add(node, e.n*pods)
			continue
		}
		d := e.tally.of[node]
		if d < 0 {
			continue
		}
		e.tally.count[d] += e.n * pods
		if e.near {
			t.anyNear += pods
		}
	}
}

// newTopology computes the class's counts; nil if the places of other Pods do not matter to the
// class.
func (c *class) newTopology(b *batch) *topology {
	t := &topology{}
	t.hard, t.soft, t.everywhere = c.spreads(b)
	if c.terms == nil && len(t.hard)+len(t.soft) == 0 && !b.selected {
		return nil
	}
	c.topology = t
	seen := map[*group]bool{}
	count := func(g *group) {
		if seen[g] {
			return
		}
		seen[g] = true
		if effects := c.effects(b, &g.party); len(effects) > 0 {
			for n, pods := range g.nodes {
				if n.Object != nil {
					t.apply(effects, n.place, pods)
				}
			}
		}
	}
	if c.terms != nil {
		for i := range c.terms.antiAffinity {
			t.far = append(t.far, b.tally(c.terms.antiAffinity[i].key))
		}
		for i := range c.terms.affinity {
			t.near = append(t.near, b.tally(c.terms.affinity[i].key))
		}
		t.alike = selectedByAll(b, c.terms.affinity, &c.party)
		for _, list := range [3][]term{c.terms.antiAffinity, c.terms.affinity, c.terms.preferred} {
			for i := range list {
				list[i].candidates(b, count)
			}
		}
	}
	for _, list := range [2][]*spread{t.hard, t.soft} {
		for _, s := range list {
			b.cluster.candidates(c.party.namespace, s.selector, count)
		}
	}
	for g := range b.cluster.termed {
		count(g)
	}
	return t
}

// refuses says why existing Pods keep the class's Pods from a node.
func (t *topology) refuses(node int) refusal {
	for _, s := range t.hard {
		if r := s.refuses(node); len(r.reasons) > 0 {
			return r
		}
	}
	if !t.nearEnough(node) {
		return refusedFar
	}
	for _, far := range t.far {
		if far.at(node) > 0 {
			return refusedNear
		}
	}
	for _, existing := range t.existing {
		if existing.at(node) > 0 {
			return refusedByOthers
		}
	}
	return refusal{}
}

// nearEnough reports whether the Pods that the class must be near are there. If none exist
// anywhere, Pods that match their own affinity may be the first.
func (t *topology) nearEnough(node int) bool {
	missing := false
	for _, near := range t.near {
		if near.of[node] < 0 {
			return false
		}
		missing = missing || near.at(node) <= 0
	}
	return !missing || t.anyNear == 0 && t.alike
}
