package scheduler

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
)

// promised schedules the pending Pods, applies the plan as if victims were removed at once, and
// judges it by recounting.
func promised(r *rapid.T, nodes []fixture, pending, bound map[types.UID]*corev1.Pod) plan.Plan {
	w := &world{Pods: maps.Clone(pending)}
	maps.Copy(w.Pods, bound)
	c := cluster(nodes...)
	s := Snapshot{Cluster: c, Related: w, Now: noon}
	for _, uid := range slices.Sorted(maps.Keys(bound)) {
		c.AddPod(bound[uid])
	}
	s.Freed = rapid.Bool().Draw(r, "freed")
	for _, uid := range slices.Sorted(maps.Keys(pending)) {
		c.SetPending(pending[uid])
		if !s.Freed {
			s.Pods = append(s.Pods, pending[uid])
		}
	}
	p := laws.Check(r, Reconcile, s)
	if p.Empty() {
		apart(r, s, pending)
	}
	placed := maps.Clone(bound)
	for _, u := range p.Updates {
		now := u.Object.(*corev1.Pod)
		if now.Spec.NodeName == "" {
			pending[now.UID] = now
			continue
		}
		judge(r, now, nodes, placed)
		delete(pending, now.UID)
		bound[now.UID], placed[now.UID] = now, now
	}
	for _, d := range p.Deletes {
		victim := d.Object.(*corev1.Pod)
		if priority(victim) >= priority(w.Pods[d.NeedsUpdate]) {
			r.Fatalf("%s of priority %d goes for %s of %d", victim.Name, priority(victim), d.NeedsUpdate, priority(w.Pods[d.NeedsUpdate]))
		}
		delete(bound, victim.UID)
	}
	return p
}

// apart checks that Pods whose condition does not change would get the same message if each was
// tried by itself.
func apart(r *rapid.T, s Snapshot, pending map[types.UID]*corev1.Pod) {
	for _, uid := range slices.Sorted(maps.Keys(pending)) {
		if pending[uid].Status.NominatedNodeName != "" {
			continue
		}
		alone := s
		alone.Freed, alone.Related = false, nil
		alone.Pods = []*corev1.Pod{pending[uid]}
		if p := Reconcile(alone); len(p.Updates) > 0 && p.Updates[0].Subresource == "binding" {
			r.Fatalf("%s has been left out: %s", uid, p)
		}
	}
}

// judge reports whether a Pod may be where it was just put, beside those placed before it.
func judge(r *rapid.T, p *corev1.Pod, nodes []fixture, placed map[types.UID]*corev1.Pod) {
	of := map[string]*corev1.Node{}
	for _, n := range nodes {
		of[n.Name] = n.Node
	}
	near := func(a, b *corev1.Pod, key string) bool {
		return of[a.Spec.NodeName].Labels[key] == of[b.Spec.NodeName].Labels[key]
	}
	n := NewNode(of[p.Spec.NodeName])
	for _, o := range placed {
		if o.Spec.NodeName == p.Spec.NodeName {
			n.add(Requests(o), hostPorts(o))
		}
		for _, pair := range [2][2]*corev1.Pod{{p, o}, {o, p}} {
			if t := termsOf(pair[0]); t != nil {
				for _, term := range t.antiAffinity {
					if term.selector.Matches(labels.Set(pair[1].Labels)) && near(p, o, term.key) {
						r.Fatalf("%s is on %s although %s keeps away from %s by %s", p.Name, p.Spec.NodeName, pair[0].Name, pair[1].Name, term.key)
					}
				}
			}
		}
	}
	if refused := alone(p).check(&n); len(refused.reasons) > 0 {
		r.Fatalf("%s was given to %s although %s", p.Name, p.Spec.NodeName, refused.reasons)
	}
	for _, c := range p.Spec.TopologySpreadConstraints {
		counts := map[string]int{}
		for _, n := range nodes {
			counts[n.Labels[c.TopologyKey]] += 0
		}
		selector := selectorOf(c.LabelSelector)
		for _, o := range placed {
			if selector.Matches(labels.Set(o.Labels)) {
				counts[of[o.Spec.NodeName].Labels[c.TopologyKey]]++
			}
		}
		least := slices.Min(slices.Collect(maps.Values(counts)))
		if selector.Matches(labels.Set(p.Labels)) {
			counts[of[p.Spec.NodeName].Labels[c.TopologyKey]]++
		}
		if skew := counts[of[p.Spec.NodeName].Labels[c.TopologyKey]] - least; skew > int(c.MaxSkew) {
			r.Fatalf("%s on %s makes the skew by %s %d", p.Name, p.Spec.NodeName, c.TopologyKey, skew)
		}
	}
}
