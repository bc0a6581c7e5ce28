package replicaset

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/claim"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// podLists are the snapshot's Pods grouped by their meaning to the ReplicaSet.
type podLists struct {
	by      claim.Claimant
	active  []*corev1.Pod        // held, or adopted in this plan, and active; without Alike
	adopted map[*corev1.Pod]bool // active Pods that this plan adopts
	claimed []plan.Update        // the adoptions and releases
	counts  counts               // of the held and adopted ones, with Alike
	foreign bool                 // some Alike are not held
}

// sortOut claims the active Pods. It returns false for an invalid selector, which validation
// rejects.
func (s Snapshot) sortOut(kind schema.GroupVersionKind) (podLists, bool) {
	selector, err := metav1.LabelSelectorAsSelector(s.ReplicaSet.Spec.Selector)
	if err != nil {
		return podLists{}, false
	}
	lists := podLists{by: claim.Claimant{Owner: s.ReplicaSet, Kind: kind, Selector: selector}}
	active := make([]*corev1.Pod, 0, len(s.Pods))
	for _, p := range s.Pods {
		switch {
		case podstate.Active(p):
			active = append(active, p)
		case podstate.Terminating(p) && lists.by.Judge(p) == claim.Held:
			lists.counts.terminating++
		}
	}
	claims := claim.Claim(lists.by, active)
	lists.active = claims.Held
	lists.adopted = make(map[*corev1.Pod]bool, len(claims.Adopted))
	for _, p := range claims.Adopted {
		lists.adopted[p] = true
		lists.claimed = append(lists.claimed, plan.Update{Object: p})
	}
	for _, p := range claims.Released {
		lists.claimed = append(lists.claimed, plan.Update{Object: p})
	}
	s.count(&lists)
	return lists, true
}

// counts is how many Pods of each sort the ReplicaSet has. All except the terminating ones are
// active.
type counts struct{ active, fullyLabeled, ready, available, terminating int32 }

// count counts the active Pods, and Alike.
func (s Snapshot) count(lists *podLists) {
	fullyLabeled := labels.Set(s.ReplicaSet.Spec.Template.Labels).AsSelectorPreValidated()
	add := func(p *corev1.Pod, n int32) {
		c := &lists.counts
		c.active += n
		if fullyLabeled.Matches(labels.Set(p.Labels)) {
			c.fullyLabeled += n
		}
		if podstate.Ready(p) {
			c.ready += n
		}
		if podstate.Available(p, s.ReplicaSet.Spec.MinReadySeconds, s.Now) {
			c.available += n
		}
	}
	for _, p := range lists.active {
		add(p, 1)
	}
	for _, a := range s.Alike {
		switch {
		case lists.by.Judge(a.Pod) != claim.Held:
			lists.foreign = true
		case podstate.Active(a.Pod):
			add(a.Pod, a.N)
		default:
			lists.counts.terminating += a.N
		}
	}
}
