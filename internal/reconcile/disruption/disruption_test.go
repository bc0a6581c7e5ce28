package disruption_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/reconcile/disruption"
	"github.com/rowlock/rowlock/internal/reconcile/laws"
	"github.com/rowlock/rowlock/internal/reconcile/podstate"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// budget is default/web at generation 1, with edits.
func budget(edits ...func(*policyv1.PodDisruptionBudget)) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "budget", Generation: 1},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
	}
	for _, edit := range edits {
		edit(b)
	}
	return b
}

func bound(text string) *intstr.IntOrString {
	v := intstr.Parse(text)
	return &v
}

func atLeast(text string) func(*policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable = bound(text) }
}

func atMost(text string) func(*policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) { b.Spec.MaxUnavailable = bound(text) }
}

// status sets the status of a sync: expected, healthy, desired and allowed Pods.
func status(expected, healthy, desired, allowed int32) func(*policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) {
		is, reason := metav1.ConditionTrue, policyv1.SufficientPodsReason
		if allowed == 0 {
			is, reason = metav1.ConditionFalse, policyv1.InsufficientPodsReason
		}
		b.Status = policyv1.PodDisruptionBudgetStatus{
			ObservedGeneration: 1, ExpectedPods: expected, CurrentHealthy: healthy, DesiredHealthy: desired, DisruptionsAllowed: allowed,
			Conditions: []metav1.Condition{{Type: "DisruptionAllowed", Status: is, Reason: reason, ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(now)}},
		}
	}
}

func evicted(name string, ago time.Duration) func(*policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) {
		b.Status.DisruptedPods = map[string]metav1.Time{name: metav1.NewTime(now.Add(-ago))}
	}
}

// pod is a ready Pod of the ReplicaSet rs, an hour old, with edits.
func pod(name string, edits ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name), CreationTimestamp: metav1.NewTime(now.Add(-time.Hour)),
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "rs", UID: "rs", Controller: new(true)}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func unready(p *corev1.Pod)  { p.Status.Conditions = nil }
func pending(p *corev1.Pod)  { p.Status = corev1.PodStatus{Phase: corev1.PodPending} }
func terminal(p *corev1.Pod) { p.Status = corev1.PodStatus{Phase: corev1.PodFailed} }
func ending(p *corev1.Pod)   { p.DeletionTimestamp = &metav1.Time{Time: now} }
func bare(p *corev1.Pod)     { p.OwnerReferences = nil }
func young(p *corev1.Pod)    { p.CreationTimestamp = metav1.NewTime(now) }

func pods(n int) (all []*corev1.Pod) {
	for i := range n {
		all = append(all, pod(fmt.Sprint("web-", i)))
	}
	return all
}

func asks(n int32) map[types.UID]disruption.Owner {
	return map[types.UID]disruption.Owner{"rs": {UID: "deployment", Replicas: n}}
}

// summary is a status in one line.
func summary(b *policyv1.PodDisruptionBudget) string {
	s := b.Status
	line := fmt.Sprintf("expected %d healthy %d desired %d allowed %d", s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed)
	for _, c := range s.Conditions {
		line += fmt.Sprintf(" %s=%s %s", c.Type, c.Status, strings.TrimSpace(c.Reason+" "+c.Message))
	}
	for name := range s.DisruptedPods {
		line += " disrupted " + name
	}
	return line
}

func TestReconcile(t *testing.T) {
	t.Parallel()
	const yes, no = " DisruptionAllowed=True SufficientPods", " DisruptionAllowed=False InsufficientPods"
	for _, row := range []struct {
		name   string
		budget *policyv1.PodDisruptionBudget
		pods   []*corev1.Pod
		owners map[types.UID]disruption.Owner
		want   string // the status, empty if it stays, and the events
	}{
		{"PDB-008 W-49 four of five", budget(atLeast("4")), pods(5), nil, "expected 5 healthy 5 desired 4 allowed 1" + yes},
		{"PDB-006 a number counts what is selected", budget(atLeast("2")), []*corev1.Pod{pod("a"), pod("b", terminal), pod("c", bare)}, nil,
			"expected 3 healthy 2 desired 2 allowed 0" + no},
		{"PDB-007 a percentage counts what owners ask for", budget(atLeast("50%")), pods(2), asks(5), "expected 5 healthy 2 desired 3 allowed 0" + no},
		{"at most a part, rounded up", budget(atMost("30%")), pods(5), asks(5), "expected 5 healthy 5 desired 3 allowed 2" + yes},
		{"at most more than there are", budget(atMost("9")), pods(2), asks(2), "expected 2 healthy 2 desired 0 allowed 2" + yes},
		{"PDB-009 PDB-010 what is not ready counts against it", budget(atLeast("2")), []*corev1.Pod{pod("a"), pod("b"), pod("c", unready)}, nil,
			"expected 3 healthy 2 desired 2 allowed 0" + no},
		{"PDB-016 what is leaving is not healthy", budget(atLeast("1")), []*corev1.Pod{pod("a"), pod("b", ending)}, nil, "expected 2 healthy 1 desired 1 allowed 0" + no},
		{"what was evicted is not either", budget(atLeast("1"), status(2, 2, 1, 0), evicted("b", time.Minute)), pods2("a", "b"), nil,
			"expected 2 healthy 1 desired 1 allowed 0" + no + " disrupted b"},
		{"until two minutes have passed", budget(atLeast("1"), status(2, 1, 1, 0), evicted("b", 121*time.Second)), pods2("a", "b"), nil,
			"expected 2 healthy 2 desired 1 allowed 1" + yes + "\nNotDeleted Pod was expected by PDB default/default to be deleted but it wasn't"},
		{"or it is being deleted", budget(atLeast("1"), status(2, 1, 1, 0), evicted("b", time.Minute)), []*corev1.Pod{pod("a"), pod("b", ending)}, nil,
			"expected 2 healthy 1 desired 1 allowed 0" + no},
		{"or another has its name", budget(atLeast("1"), status(2, 1, 1, 0), evicted("b", time.Minute)), []*corev1.Pod{pod("a"), pod("b", young)}, nil,
			"expected 2 healthy 2 desired 1 allowed 1" + yes},
		{"neither bound", budget(), pods(2), nil, "expected 0 healthy 2 desired 0 allowed 0" + no},
		{"no Pods", budget(atLeast("0")), nil, nil, "expected 0 healthy 0 desired 0 allowed 0" + no + "\nNoPods No matching pods found"},
		{"no Pods, once more", budget(atLeast("0"), status(0, 0, 0, 0)), nil, nil, ""},
		{"nothing new", budget(atLeast("1"), status(2, 2, 1, 1)), pods(2), nil, ""},
		{"a new generation", budget(atLeast("1"), status(2, 2, 1, 1), func(b *policyv1.PodDisruptionBudget) { b.Generation = 2 }), pods(2), nil,
			"expected 2 healthy 2 desired 1 allowed 1" + yes},
		{"Pods without a controller", budget(atMost("1")), []*corev1.Pod{pod("a"), pod("b", bare)}, asks(1),
			"expected 1 healthy 2 desired 0 allowed 2" + yes + "\nUnmanagedPods Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,}," +
				"MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may " +
				"result in undefined behavior. To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer value."},
		{"a controller that is not there", budget(atMost("1"), status(2, 2, 1, 1)), pods(1), nil,
			"expected 2 healthy 2 desired 1 allowed 0 DisruptionAllowed=False SyncFailed found no controllers for pod \"web-0\"" +
				"\nCalculateExpectedPodCountFailed Failed to calculate the number of expected pods: found no controllers for pod \"web-0\""},
		{"a controller that cannot say", budget(atMost("1")), pods(1), map[types.UID]disruption.Owner{"rs": {Problem: "jobs.batch does not implement the scale subresource"}},
			"expected 0 healthy 0 desired 0 allowed 0 DisruptionAllowed=False SyncFailed jobs.batch does not implement the scale subresource" +
				"\nCalculateExpectedPodCountFailed Failed to calculate the number of expected pods: jobs.batch does not implement the scale subresource"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := disruption.Snapshot{Budget: row.budget, Pods: row.pods, Owners: row.owners, Now: now}
			p := laws.Check(t, disruption.Reconcile, s)
			var got []string
			for _, u := range p.Updates {
				b := u.Object.(*policyv1.PodDisruptionBudget)
				got = append(got, summary(b))
				s.Budget = b
			}
			for _, e := range p.Events {
				got = append(got, e.Reason+" "+e.Message)
			}
			if d := cmp.Diff(row.want, strings.Join(got, "\n")); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if again := disruption.Reconcile(s); !again.Empty() {
				t.Errorf("it does not settle: %s", again)
			}
		})
	}
}

func pods2(names ...string) (all []*corev1.Pod) {
	for _, name := range names {
		all = append(all, pod(name))
	}
	return all
}

// It syncs again when an evicted Pod should have been deleted.
func TestReconcile_WakesAtTheDeadline(t *testing.T) {
	t.Parallel()
	p := disruption.Reconcile(disruption.Snapshot{Budget: budget(atLeast("1"), evicted("b", time.Minute)), Pods: pods2("a", "b"), Now: now})
	if want := now.Add(time.Minute + time.Second); !p.WakeAt.Equal(want) {
		t.Errorf("wakes at %v, want %v", p.WakeAt, want)
	}
}

func TestEvict(t *testing.T) {
	t.Parallel()
	always := func(b *policyv1.PodDisruptionBudget) { b.Spec.UnhealthyPodEvictionPolicy = new(policyv1.AlwaysAllow) }
	failed := func(b *policyv1.PodDisruptionBudget) {
		b.Status.Conditions = []metav1.Condition{{Type: "DisruptionAllowed", Status: "False", Reason: "SyncFailed", Message: "found no controllers"}}
	}
	for _, row := range []struct {
		name   string
		pod    *corev1.Pod
		budget *policyv1.PodDisruptionBudget
		want   string
	}{
		{"PDB-014 one of two", pod("a"), budget(status(5, 5, 3, 2)), "expected 5 healthy 5 desired 3 allowed 1 DisruptionAllowed=True SufficientPods disrupted a"},
		{"PDB-008 the last", pod("a"), budget(status(5, 5, 4, 1)), "expected 5 healthy 5 desired 4 allowed 0 DisruptionAllowed=False InsufficientPods disrupted a"},
		{"PDB-003 none is left", pod("a"), budget(status(3, 2, 2, 0)), "0s: The disruption budget web needs 2 healthy pods and has 2 currently"},
		{"all have been counted", pod("a"), budget(status(3, 3, 2, 0)), "0s: The disruption budget web does not allow evicting pods currently"},
		{"a sync has failed", pod("a"), budget(failed), "10s: The disruption budget web is still being processed by the server."},
		{"a sync has failed on what is there", pod("a"), budget(status(3, 3, 2, 0), failed, func(b *policyv1.PodDisruptionBudget) { b.Status.ObservedGeneration = 1 }),
			"0s: The disruption budget web does not allow evicting pods currently because it failed sync: found no controllers"},
		{"the spec is new", pod("a"), budget(status(3, 3, 2, 1), func(b *policyv1.PodDisruptionBudget) { b.Generation = 2 }),
			"10s: The disruption budget web is still being processed by the server."},
		{"what is not ready, where all is well", pod("a", unready), budget(status(3, 2, 2, 0)), "uncounted"},
		{"what is not ready, where too few are", pod("a", unready), budget(status(3, 1, 2, 0)), "0s: The disruption budget web needs 2 healthy pods and has 1 currently"},
		{"what is not ready, always", pod("a", unready), budget(status(3, 1, 2, 0), always), "uncounted"},
		{"what is not ready, where none need be", pod("a", unready), budget(status(3, 1, 0, 1)),
			"expected 3 healthy 1 desired 0 allowed 0 DisruptionAllowed=False InsufficientPods disrupted a"},
		{"a wrong status", pod("a"), budget(status(3, 1, 0, -1)), "pdb disruptions allowed is negative"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			before := row.budget.DeepCopy()
			next, err := disruption.Evict(row.pod, row.budget, now)
			var got string
			var refused *disruption.Refused
			switch {
			case errors.As(err, &refused):
				got = fmt.Sprintf("%ds: %s", refused.RetryAfterSeconds, refused.Cause)
			case err != nil:
				got = err.Error()
			case next == nil:
				got = "uncounted"
			default:
				got = summary(next)
			}
			if d := cmp.Diff(row.want, got) + cmp.Diff(before, row.budget); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	crowded := budget(status(3000, 3000, 2, 1))
	crowded.Status.DisruptedPods = map[string]metav1.Time{}
	for i := range 2001 {
		crowded.Status.DisruptedPods[fmt.Sprint(i)] = metav1.NewTime(now)
	}
	if _, err := disruption.Evict(pod("a"), crowded, now); !errors.Is(err, disruption.ErrTooMany) {
		t.Errorf("with 2001 that are not confirmed: %v", err)
	}
}

func TestUnguarded(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		pod  *corev1.Pod
		want bool
	}{
		"runs": {pod("a"), false}, "is not ready": {pod("a", unready), false}, "has not begun": {pod("a", pending), true},
		"has ended": {pod("a", terminal), true}, "is leaving": {pod("a", ending), true},
	} {
		if got := disruption.Unguarded(row.pod); got != row.want {
			t.Errorf("a Pod that %s: %v", name, got)
		}
	}
}

// Whatever is evicted, synced, readied and replaced, in any order: evictions alone never leave
// fewer healthy Pods than the budget wants.
func TestLaw_NeverFewerThanTheBudgetWants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "pods")
		want := rapid.IntRange(0, n).Draw(t, "wanted")
		b, all := budget(atLeast(fmt.Sprint(want))), pods(n)
		clock := now
		healthy := func() (healthy int) {
			for _, p := range all {
				if p.DeletionTimestamp == nil && podstate.Ready(p) {
					healthy++
				}
			}
			return healthy
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			clock = clock.Add(time.Second)
			i := rapid.IntRange(0, n-1).Draw(t, "pod")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				for _, u := range disruption.Reconcile(disruption.Snapshot{Budget: b, Pods: all, Now: clock}).Updates {
					b = u.Object.(*policyv1.PodDisruptionBudget)
				}
			case 1: // it is gone, and replaced by one that is not ready
				if all[i].DeletionTimestamp != nil {
					all[i] = pod(fmt.Sprintf("web-%d-%d", i, clock.Unix()), unready)
				}
			case 2:
				all[i] = all[i].DeepCopy()
				all[i].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
			default:
				if disruption.Unguarded(all[i]) {
					break
				}
				was := podstate.Ready(all[i])
				next, err := disruption.Evict(all[i], b, clock)
				if err != nil {
					break
				}
				if next != nil {
					b = next
				}
				all[i] = all[i].DeepCopy()
				all[i].DeletionTimestamp = &metav1.Time{Time: clock}
				if got := healthy(); was && got < want {
					t.Fatalf("%d Pods are healthy, and %d should be: %s", got, want, summary(b))
				}
			}
		}
	})
}
