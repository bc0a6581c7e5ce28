package replicaset

import (
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

// Victims are the Pods that the ReplicaSet deletes until it has as many as its spec says, in the
// order in which Reconcile deletes them, plan by plan, if nothing else happens. A ReplicaSet that
// is being deleted has no victims.
func Victims(s Snapshot) []podstate.Victim {
	return VictimsAs(s, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
}

// VictimsAs returns the victims of an object of another kind that is shown as a ReplicaSet: see
// ReconcileAs.
func VictimsAs(s Snapshot, kind schema.GroupVersionKind) (gone []podstate.Victim) {
	pods, ok := s.sortOut(kind)
	if !ok || s.ReplicaSet.DeletionTimestamp != nil {
		return nil
	}
	var turns []turn
	rank := maps.Clone(s.NodeRank)
	for active := pods.active; len(active) > s.desired(); {
		t := newTurn(active, min(len(active)-s.desired(), maxBurst), pods.adopted, rank, s.Now)
		turns = append(turns, t)
		active = active[:0:0]
		for _, c := range t.stay {
			active = append(active, c.pod)
		}
		for _, c := range t.gone {
			if rank != nil {
				rank[c.pod.Spec.NodeName]--
			}
		}
		clear(pods.adopted) // the next plan may delete what this one adopts
	}
	if len(turns) == 0 {
		return nil
	}
	stays := turns[len(turns)-1].stay
	for _, t := range turns {
		for _, c := range t.gone {
			gone = append(gone, podstate.Explain(c.pod, bounds(stays), func(p *corev1.Pod) podstate.Rule { return c.ruleAgainst(t.as(p), s.Now) }))
		}
	}
	return gone
}

// turn is what one plan does to the active Pods, in the order in which it would delete them all.
type turn struct{ gone, stay []candidate }

func newTurn(active []*corev1.Pod, n int, adopted map[*corev1.Pod]bool, rank map[string]int, now time.Time) (t turn) {
	for i, c := range inOrder(active, n, rank, now) {
		if i < n && !adopted[c.pod] {
			t.gone = append(t.gone, c)
		} else {
			t.stay = append(t.stay, c)
		}
	}
	return t
}

// as is how a Pod that stays was judged in that turn.
func (t turn) as(pod *corev1.Pod) candidate {
	return t.stay[slices.IndexFunc(t.stay, func(c candidate) bool { return c.pod == pod })]
}

// bounds are the first and the last of the Pods that stay, if any.
func bounds(stay []candidate) []*corev1.Pod {
	if len(stay) == 0 {
		return nil
	}
	return []*corev1.Pod{stay[0].pod, stay[len(stay)-1].pod}
}

// ruleAgainst is why c is deleted and not the other. The rules may be inconsistent among more than
// two Pods; where they disagree with the order, the rule is the uid.
func (c candidate) ruleAgainst(other candidate, now time.Time) podstate.Rule {
	if order, rule := c.compare(other, now); order < 0 {
		return rule
	}
	return podstate.SmallerUID
}
