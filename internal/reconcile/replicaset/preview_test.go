package replicaset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

// deletedInTurn are the Pods that Reconcile deletes, plan by plan, until there is nothing left to
// do.
func deletedInTurn(t rapid.TB, s replicaset.Snapshot) (names []string) {
	t.Helper()
	for range 100 {
		p := replicaset.Reconcile(s)
		if len(p.Deletes) == 0 && len(p.Updates) == 0 {
			return names
		}
		changed := map[types.UID]*corev1.Pod{}
		for _, u := range p.Updates {
			switch o := u.Object.(type) {
			case *corev1.Pod:
				changed[o.UID] = o
			case *appsv1.ReplicaSet:
				s.ReplicaSet = o
			}
		}
		for _, d := range p.Deletes {
			gone := d.Object.DeepCopyObject().(*corev1.Pod)
			gone.DeletionTimestamp = &metav1.Time{Time: s.Now}
			changed[gone.UID] = gone
			names = append(names, gone.Name)
			if s.NodeRank != nil {
				s.NodeRank[gone.Spec.NodeName]--
			}
		}
		next := make([]*corev1.Pod, len(s.Pods))
		for i, pod := range s.Pods {
			if next[i] = pod; changed[pod.UID] != nil {
				next[i] = changed[pod.UID]
			}
		}
		s.Pods = next
	}
	t.Fatal("it never settles")
	return nil
}

func namesOf(victims []podstate.Victim) (names []string) {
	for _, v := range victims {
		names = append(names, v.Pod.Name)
	}
	return names
}

// Victims foretells what Reconcile does.
func TestLaw_VictimsAreThoseThatGo(t *testing.T) {
	t.Parallel()
	traits := []func(*corev1.Pod){
		unassigned, pending, phase(corev1.PodUnknown), unready, cost("-1"), cost("7"), on("n2"), on("n3"), restarted(2), sidecarRestarted(1),
		readyFor(time.Minute), readyFor(70 * time.Second), aged(time.Minute), aged(70 * time.Second), orphan, unmatched, ending, phase(corev1.PodFailed),
	}
	rapid.Check(t, func(t *rapid.T) {
		pick := laws.Drawn(t)
		var all []*corev1.Pod
		for i := range pick(12) {
			p := pod(fmt.Sprintf("web-%d", i), uid(types.UID(fmt.Sprintf("%d-%d", pick(5), i))))
			for range pick(4) {
				traits[pick(len(traits))](p)
			}
			all = append(all, p)
		}
		s := snapshot(replicaSet(int32(pick(8))), all...)
		if pick(2) == 0 {
			s.NodeRank = map[string]int{"": pick(9), "n1": pick(9), "n2": pick(9), "n3": pick(9)}
		}
		victims := replicaset.Victims(s)
		if again := replicaset.Victims(s); !cmp.Equal(namesOf(victims), namesOf(again)) {
			t.Fatal("the snapshot was changed")
		}
		if d := cmp.Diff(deletedInTurn(t, s), namesOf(victims)); d != "" {
			t.Fatalf("victims (-deleted +predicted):\n%s", d)
		}
		for _, v := range victims {
			if v.Rule == "" || (v.Than == nil) != (v.Rule == podstate.NoneIsToStay) {
				t.Fatalf("%s goes by the rule %q", v.Pod.Name, v.Rule)
			}
		}
	})
}

func TestVictims_Rules(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		rule       podstate.Rule
		goes, stay *corev1.Pod
	}{
		{podstate.NotAssigned, pod("a", unassigned), pod("b", pending, unready)},
		{podstate.Phase, pod("a", pending), pod("b", unready)},
		{podstate.NotReady, pod("a", unready), pod("b", cost("-10"))},
		{podstate.DeletionCost, pod("a", cost("-1")), pod("b", readyFor(time.Second))},
		{podstate.ReadyLater, pod("a", readyFor(time.Second)), pod("b", restarted(9))},
		{podstate.MoreRestarts, pod("a", restarted(1)), pod("b", aged(time.Second))},
		{podstate.MoreRestarts, pod("a", sidecarRestarted(1)), pod("b", aged(time.Second))},
		{podstate.CreatedLater, pod("a", aged(time.Second)), pod("b")},
		{podstate.SmallerUID, pod("a", uid("1")), pod("b", uid("2"))},
		{podstate.SmallerUID, pod("a", uid("1"), aged(110*time.Second)), pod("b", uid("2"), aged(100*time.Second))},
	} {
		victims := replicaset.Victims(snapshot(replicaSet(1), row.stay, row.goes))
		if len(victims) != 1 || victims[0].Pod != row.goes || victims[0].Than != row.stay || victims[0].Rule != row.rule {
			t.Errorf("%s: got %+v", row.rule, victims)
		}
	}
	crowded := replicaset.Victims(snapshot(replicaSet(2), pod("a"), pod("b", on("n2")), pod("c", on("n2"))))
	if len(crowded) != 1 || crowded[0].Rule != podstate.DoubledUp || crowded[0].Than.Name != "a" {
		t.Errorf("of two on a node goes %s by %s", namesOf(crowded), crowded[0].Rule)
	}
	if victims := replicaset.Victims(snapshot(replicaSet(0, beingDeleted), pods(2)...)); victims != nil {
		t.Errorf("a ReplicaSet that is being deleted gives up %+v", victims)
	}
}

// Beyond one burst the ranks on nodes change from plan to plan.
func TestVictims_InSeveralPlans(t *testing.T) {
	t.Parallel()
	s := snapshot(replicaSet(100))
	s.NodeRank = map[string]int{}
	for i := range 1300 {
		node := fmt.Sprintf("n%d", i%7*i%5)
		s.Pods = append(s.Pods, pod(fmt.Sprintf("web-%04d", i), on(node), aged(time.Duration(i)*time.Second)))
		s.NodeRank[node]++
	}
	predicted := namesOf(replicaset.Victims(s))
	if d := cmp.Diff(deletedInTurn(t, s), predicted); d != "" || len(predicted) != 1200 {
		t.Errorf("%d victims (-deleted +predicted):\n%s", len(predicted), d)
	}
}
