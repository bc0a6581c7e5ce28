package history_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/test/history"
)

// budget selects all Pods, has seen this many healthy ones, requires this many, and has counted the
// evictions of some.
func budget(healthy, desired int32, counted ...string) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: meta("budget", "")}
	b.Spec.Selector = &metav1.LabelSelector{}
	b.Status = policyv1.PodDisruptionBudgetStatus{CurrentHealthy: healthy, DesiredHealthy: desired, DisruptedPods: map[string]metav1.Time{}}
	for _, name := range counted {
		b.Status.DisruptedPods[name] = metav1.Time{Time: start}
	}
	return b
}

// synced makes a version of a budget that its controller has written.
func synced(b *policyv1.PodDisruptionBudget) history.Entry {
	e := updated(b)
	e.Writer = "disruption-controller"
	return e
}

func evicted(name string) *corev1.Pod {
	p := pod(name, "", "terminating")
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "EvictionByEvictionAPI"})
	return p
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	a, b := created(pod("a", "", "ready")), created(pod("b", "", "ready"))
	fresh := created(budget(0, 0))
	atOnce := updated(evicted("a"))
	atOnce.Verb = deleted(evicted("a")).Verb
	long := budget(2, 1, "a")
	long.Status.DisruptedPods["a"] = metav1.Time{Time: start.Add(-2 * time.Minute)}
	run(t, history.Budgets, []row{
		{"PDB-014 one of two", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), updated(evicted("a"))), nil},
		{"without a grace period", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), atOnce), nil},
		{"without being counted", log(fresh, a, b, synced(budget(2, 1)), updated(evicted("a"))), []string{
			"revision 5, pods/default/a: is evicted, and its budget budget has not counted it",
		}},
		{"forgotten too early", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), synced(budget(2, 1)), updated(evicted("a"))), []string{
			"revision 7, pods/default/a: is evicted, and its budget budget has not counted it",
		}},
		{"forgotten after two minutes", log(fresh, a, b, synced(budget(2, 1)), updated(long), synced(budget(2, 1)), updated(evicted("a"))), nil},
		{"both", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), updated(evicted("a")), updated(budget(2, 1, "a", "b")), updated(evicted("b"))), []string{
			"revision 8, pods/default/b: is evicted, and leaves 0 healthy of the 1 that budget budget wants",
		}},
		{"PDB-009 where another was lost", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), deleted(pod("b", "", "ready")), updated(evicted("a"))), nil},
		{"and the budget knows", log(fresh, a, b, synced(budget(2, 1)), deleted(pod("b", "", "ready")), synced(budget(1, 1)), updated(budget(1, 1, "a")), updated(evicted("a"))), []string{
			"revision 8, pods/default/a: is evicted, and leaves 0 healthy of the 1 that budget budget wants",
		}},
		{
			"PDB-009 where another was lost, and the budget knows",
			log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), deleted(pod("b", "", "ready")),
				synced(budget(0, 1, "a")), updated(evicted("a"))),
			nil,
		},
		{"PDB-007 scaled up before the Pod goes", log(fresh, a, b, synced(budget(2, 1)), updated(budget(2, 1, "a")), synced(budget(1, 2, "a")), updated(evicted("a"))), nil},
		{"counted after that", log(fresh, a, b, synced(budget(2, 2)), updated(budget(2, 2, "a")), synced(budget(1, 1, "b")), synced(budget(0, 2, "a", "b")), updated(evicted("a"))), []string{
			"revision 8, pods/default/a: is evicted, and leaves 0 healthy of the 2 that budget budget wants",
		}},
		{"a Pod that is not ready", log(fresh, created(pod("a", "", "bound")), synced(budget(0, 1)), updated(evicted("a"))), nil},
		{"PDB-002 a deletion", log(fresh, a, synced(budget(1, 1)), updated(pod("a", "", "terminating"))), nil},
		{"after the budget is gone", log(fresh, a, synced(budget(1, 1)), deleted(budget(1, 1)), updated(evicted("a"))), nil},
	})
}
