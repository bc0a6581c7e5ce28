package scheduler

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// spread is a topology spread constraint of a class, and the count of the Pods that it selects.
//
// Source: kubernetes v1.36 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go and scoring.go.
type spread struct {
	*domains
	maxSkew, minDomains int64
	selector            labels.Selector
	self                int64 // 1 if it selects the class's own Pods
	// byNode is true if Pods are counted by node, as in preferred spreads over hosts.
	byNode  bool
	counts  []bool  // by node: whether its Pods count, and its domain exists
	count   []int64 // by domain or node
	present []bool  // by domain: it has a node that counts
	total   int     // number of present domains
	least   int64   // the smallest count among those; invalid while stale
	stale   bool
	stamp   []int32 // by domain: the last Pod for which it was counted
}

// wish is a constraint as specified.
type wish struct {
	key                 string
	maxSkew, minDomains int64
	selector            labels.Selector
	affinity, taints    bool // whether nodes that the class's affinity, or taints, rule out are excluded
}

// defaultWishes apply to Pods of workloads and Services that specify no constraint.
var defaultWishes = []wish{{key: corev1.LabelHostname, maxSkew: 3, affinity: true}, {key: corev1.LabelTopologyZone, maxSkew: 5, affinity: true}}

// spreads are the class's constraints, and whether a node must have the labels of all preferred
// ones to be scored by them.
func (c *class) spreads(b *batch) (hard, soft []*spread, everywhere bool) {
	if len(c.pod.Spec.TopologySpreadConstraints) == 0 {
		if c.kin == nil || c.kin.Empty() {
			return nil, nil, false
		}
		wishes := slices.Clone(defaultWishes)
		for i := range wishes {
			wishes[i].selector = c.kin
		}
		return nil, c.newSpreads(b, wishes, false, true), false
	}
	var must, may []wish
	for i := range c.pod.Spec.TopologySpreadConstraints {
		s := &c.pod.Spec.TopologySpreadConstraints[i]
		w := wish{key: s.TopologyKey, maxSkew: int64(s.MaxSkew), minDomains: 1, selector: selectorOf(s.LabelSelector), affinity: true}
		if s.MinDomains != nil {
			w.minDomains = int64(*s.MinDomains)
		}
		if s.NodeAffinityPolicy != nil {
			w.affinity = *s.NodeAffinityPolicy == corev1.NodeInclusionPolicyHonor
		}
		w.taints = s.NodeTaintsPolicy != nil && *s.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor
		if s.WhenUnsatisfiable == corev1.DoNotSchedule {
			must = append(must, w)
		} else {
			may = append(may, w)
		}
	}
	return c.newSpreads(b, must, true, false), c.newSpreads(b, may, true, true), true
}

// newSpreads makes the constraints. If everywhere is true, Pods count only on nodes that have the
// labels of all of them.
func (c *class) newSpreads(b *batch, wishes []wish, everywhere, preferred bool) []*spread {
	if len(wishes) == 0 {
		return nil
	}
	all := make([]bool, len(b.nodes))
	for i := range all {
		all[i] = true
	}
	out := make([]*spread, len(wishes))
	for k, w := range wishes {
		s := &spread{domains: b.domains(w.key), maxSkew: w.maxSkew, minDomains: w.minDomains, selector: w.selector, stale: true,
			byNode: preferred && w.key == corev1.LabelHostname}
		if w.selector.Matches(labels.Set(c.pod.Labels)) {
			s.self = 1
		}
		for i := range all {
			all[i] = all[i] && (!everywhere || s.of[i] >= 0)
		}
		s.count, s.present, s.stamp = make([]int64, s.n), make([]bool, s.n), make([]int32, s.n)
		if s.byNode {
			s.count = make([]int64, len(b.nodes))
		}
		out[k] = s
	}
	for k, s := range out {
		s.counts = make([]bool, len(b.nodes))
		for i := range b.nodes {
			s.counts[i] = s.of[i] >= 0 && (s.byNode || all[i] && wishes[k].includes(c, &b.nodes[i]))
			if d := s.of[i]; s.counts[i] && !s.present[d] {
				s.present[d] = true
				s.total++
			}
		}
	}
	return out
}

// includes reports whether the constraint counts a node, considering only affinity and taints.
func (w *wish) includes(c *class, n *Node) bool {
	if w.affinity && c.selective {
		if match, err := c.required.Match(n.Object); !match || err != nil {
			return false
		}
	}
	return !w.taints || len(n.Object.Spec.Taints) == 0 || !c.repelled(n)
}

// add counts Pods in.
func (s *spread) add(node int, pods int64) {
	switch {
	case !s.counts[node]:
	case s.byNode:
		s.count[node] += pods
	default:
		s.count[s.of[node]] += pods
		s.stale = true
	}
}

// refuses says why one more Pod on the node would make the spread too uneven.
func (s *spread) refuses(node int) refusal {
	d := s.of[node]
	if d < 0 {
		return refusedUnlabelled
	}
	if s.count[d]+s.self-s.smallest() > s.maxSkew {
		return refusedSkew
	}
	return refusal{}
}

// smallest is the smallest count of a domain; zero if there are fewer domains than minDomains.
func (s *spread) smallest() int64 {
	if s.stale {
		s.stale, s.least = false, math.MaxInt32
		for d, present := range s.present {
			if present {
				s.least = min(s.least, s.count[d])
			}
		}
	}
	if int64(s.total) < s.minDomains {
		return 0
	}
	return s.least
}
