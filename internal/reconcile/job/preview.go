package job

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Victims are the Pods that the Job gives up as it is in the snapshot, in the order in which Reconcile deletes them, as long as nothing
// else happens: those beyond its parallelism or, if it ends now or is suspended, all. A Job that has ended or is being deleted gives
// none up.
func Victims(s Snapshot) []podstate.Victim {
	if managedElsewhere(s.Job) || Finished(s.Job) {
		return nil
	}
	l := newLook(s)
	if !l.claim() {
		return nil
	}
	l.takeStock()
	l.judge()
	switch {
	case l.verdict != nil, l.Job.DeletionTimestamp == nil && l.suspended():
		return l.explain(l.active, podstate.OwnerHasEnded)
	case l.Job.DeletionTimestamp != nil:
		return nil
	}
	return l.explain(l.victims(max(0, len(l.active)-l.wanted())), "")
}

// explain says why the Pods go: by a rule that all share, or each rather than those that stay. Those that this look adopts go last, in
// a later plan.
func (l *look) explain(gone []*corev1.Pod, all podstate.Rule) []podstate.Victim {
	stay, twins := l.stay(gone)
	victims, adopted := make([]podstate.Victim, 0, len(gone)), []podstate.Victim(nil)
	for _, p := range gone {
		v := podstate.Victim{Pod: p, Rule: all}
		switch twin := twins[indexOf(p)]; {
		case all != "":
		case !l.hasPlace(p):
			v.Rule = podstate.NoIndex
		case twin != nil:
			v.Rule, v.Than = podstate.SameIndex, twin
		default:
			v = podstate.Explain(p, stay, func(than *corev1.Pod) podstate.Rule {
				_, rule := compareVictims(p, than)
				return rule
			})
		}
		if l.adopted[p.UID] {
			adopted = append(adopted, v)
		} else {
			victims = append(victims, v)
		}
	}
	return append(victims, adopted...)
}

// stay are, of the active Pods that do not go, the first and the last that would and, in an indexed Job, each by its index.
func (l *look) stay(gone []*corev1.Pod) (bounds []*corev1.Pod, twins map[int]*corev1.Pod) {
	going := make(map[types.UID]bool, len(gone))
	for _, p := range gone {
		going[p.UID] = true
	}
	left := slices.DeleteFunc(slices.Clone(l.active), func(p *corev1.Pod) bool { return going[p.UID] })
	if len(left) == 0 {
		return nil, nil
	}
	order := func(a, b *corev1.Pod) int {
		c, _ := compareVictims(a, b)
		return c
	}
	if l.indexed() {
		twins = make(map[int]*corev1.Pod, len(left))
		for _, p := range left {
			twins[indexOf(p)] = p
		}
	}
	return []*corev1.Pod{slices.MinFunc(left, order), slices.MaxFunc(left, order)}, twins
}
