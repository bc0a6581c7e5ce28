package job

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Victims are the Pods that the Job in the snapshot deletes, in the order in which Reconcile
// deletes them, if nothing else happens: those beyond its parallelism or, if it ends now or is
// suspended, all. A Job that has ended or is being deleted has no victims.
func Victims(s Snapshot) []podstate.Victim {
	if managedElsewhere(s.Job) || Finished(s.Job) {
		return nil
	}
	sy := newSyncing(s)
	if !sy.claim() {
		return nil
	}
	sy.takeStock()
	sy.judge()
	switch {
	case sy.verdict != nil, sy.Job.DeletionTimestamp == nil && sy.suspended():
		return sy.explain(sy.active, podstate.OwnerHasEnded)
	case sy.Job.DeletionTimestamp != nil:
		return nil
	}
	return sy.explain(sy.victims(max(0, len(sy.active)-sy.wanted())), "")
}

// explain says why the Pods are deleted: by a rule that applies to all, or each in comparison with
// those that stay. Pods that this sync adopts go last, in a later plan.
func (s *syncing) explain(gone []*corev1.Pod, all podstate.Rule) []podstate.Victim {
	stay, twins := s.stay(gone)
	victims, adopted := make([]podstate.Victim, 0, len(gone)), []podstate.Victim(nil)
	for _, p := range gone {
		v := podstate.Victim{Pod: p, Rule: all}
		switch twin := twins[indexOf(p)]; {
		case all != "":
		case !s.hasPlace(p):
			v.Rule = podstate.NoIndex
		case twin != nil:
			v.Rule, v.Than = podstate.SameIndex, twin
		default:
			v = podstate.Explain(p, stay, func(than *corev1.Pod) podstate.Rule {
				_, rule := compareVictims(p, than)
				return rule
			})
		}
		if s.adopted[p.UID] {
			adopted = append(adopted, v)
		} else {
			victims = append(victims, v)
		}
	}
	return append(victims, adopted...)
}

// stay returns the first and the last, in deletion order, of the active Pods that stay and, in an
// indexed Job, all that stay by their index.
func (s *syncing) stay(gone []*corev1.Pod) (bounds []*corev1.Pod, twins map[int]*corev1.Pod) {
	going := make(map[types.UID]bool, len(gone))
	for _, p := range gone {
		going[p.UID] = true
	}
	left := slices.DeleteFunc(slices.Clone(s.active), func(p *corev1.Pod) bool { return going[p.UID] })
	if len(left) == 0 {
		return nil, nil
	}
	order := func(a, b *corev1.Pod) int {
		c, _ := compareVictims(a, b)
		return c
	}
	if s.indexed() {
		twins = make(map[int]*corev1.Pod, len(left))
		for _, p := range left {
			twins[indexOf(p)] = p
		}
	}
	return []*corev1.Pod{slices.MinFunc(left, order), slices.MaxFunc(left, order)}, twins
}
