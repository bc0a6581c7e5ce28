package deployment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

// scalings are the plan's ScalingReplicaSet events, as "web-a 3 → 2".
func scalings(p plan.Plan) (out []string) {
	for _, e := range p.Events {
		if e.Reason == "ScalingReplicaSet" {
			var direction, name string
			var from, to int
			_, _ = fmt.Sscanf(e.Message, "Scaled %s replica set %s from %d to %d", &direction, &name, &from, &to)
			out = append(out, fmt.Sprintf("%s %d → %d", strings.TrimPrefix(name, "web-"), from, to))
		}
	}
	return out
}

func num(n int) intstr.IntOrString     { return intstr.FromInt32(int32(n)) }
func percent(n int) intstr.IntOrString { return intstr.FromString(fmt.Sprintf("%d%%", n)) }

// TestRollingStep has the new ReplicaSet "a" and old ones; each row is one step.
func TestRollingStep(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name               string
		desired            int32
		surge, unavailable intstr.IntOrString
		sets               []*appsv1.ReplicaSet
		want               []string
	}{
		{"DEP-022 nothing more until the new Pod is available", 3, percent(25), percent(25),
			[]*appsv1.ReplicaSet{replicaSet("a", 1, "2", available(0)), replicaSet("b", 3, "1")}, nil},
		{"DEP-022 then an old one goes", 3, percent(25), percent(25),
			[]*appsv1.ReplicaSet{replicaSet("a", 1, "2"), replicaSet("b", 3, "1")}, []string{"b 3 → 2"}},
		{"DEP-022 then a new one comes", 3, percent(25), percent(25),
			[]*appsv1.ReplicaSet{replicaSet("a", 1, "2"), replicaSet("b", 2, "1")}, []string{"a 1 → 2"}},
		{"DEP-026 the Pod being deleted takes up its room until it is gone", 3, percent(25), percent(25),
			[]*appsv1.ReplicaSet{replicaSet("a", 1, "2"), replicaSet("b", 2, "1", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 3 })}, nil},
		{"DEP-028 30% unavailable lets three go at once", 10, num(0), percent(30),
			[]*appsv1.ReplicaSet{replicaSet("a", 0, "2", sized(10, 10)), replicaSet("b", 10, "1", sized(10, 10))}, []string{"b 10 → 7"}},
		{"DEP-029 30% surge lets three come at once", 10, percent(30), num(0),
			[]*appsv1.ReplicaSet{replicaSet("a", 0, "2", sized(10, 13)), replicaSet("b", 10, "1", sized(10, 13))}, []string{"a 0 → 3"}},
		{"the surge is not used beyond what is desired", 3, num(5), num(0),
			[]*appsv1.ReplicaSet{replicaSet("a", 2, "2", sized(3, 8)), replicaSet("b", 3, "1", sized(3, 8))}, []string{"a 2 → 3"}},
		{"DEP-013 both bounds rounded to 0 make one unavailable", 1, num(0), percent(25),
			[]*appsv1.ReplicaSet{replicaSet("a", 0, "2", sized(1, 1)), replicaSet("b", 1, "1", sized(1, 1))}, []string{"b 1 → 0"}},
		{"more may be unavailable than are desired", 2, num(0), num(5),
			[]*appsv1.ReplicaSet{replicaSet("a", 0, "2", sized(2, 2)), replicaSet("b", 2, "1", sized(2, 2))}, []string{"b 2 → 0"}},
		{"DEP-030 DEP-031 a rollover kills what never was available at once", 5, num(2), num(1),
			[]*appsv1.ReplicaSet{replicaSet("a", 2, "3", sized(5, 7), available(0)), replicaSet("b", 5, "2", sized(5, 7), available(0))},
			[]string{"b 5 → 4"}}, // 7 - 4 - 2 = 1 may go
		{"old Pods that are not available go first, of the oldest ReplicaSet first", 10, num(3), num(2), []*appsv1.ReplicaSet{
			replicaSet("a", 5, "3", sized(10, 13), available(0)),
			replicaSet("b", 4, "1", sized(10, 13), available(3)), replicaSet("c", 6, "2", sized(10, 13), young, available(5))},
			[]string{"b 4 → 3", "c 6 → 5"}}, // 15 - 8 - 5 = 2 may go
		{"no more of them than the bound allows", 10, num(3), num(2), []*appsv1.ReplicaSet{
			replicaSet("a", 5, "3", sized(10, 13), available(0)), replicaSet("b", 8, "1", sized(10, 13), available(7))}, nil},
		{"after an undo the bad Pods go: 13 - 8 - 1 = 4", 10, num(3), num(2), []*appsv1.ReplicaSet{
			replicaSet("a", 8, "3", sized(10, 13), available(7)), replicaSet("b", 5, "2", sized(10, 13), available(0))},
			[]string{"b 5 → 1"}},
		{"available and other Pods of one ReplicaSet go in one update with two events", 4, num(0), num(2), []*appsv1.ReplicaSet{
			replicaSet("a", 2, "2", sized(4, 4)), replicaSet("b", 2, "1", sized(4, 4), available(1))}, []string{"b 2 → 1", "b 1 → 0"}},
		{"a new ReplicaSet that is too big shrinks", 3, num(1), num(0),
			[]*appsv1.ReplicaSet{replicaSet("a", 5, "2")}, []string{"a 5 → 3"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(row.desired, annotated(revision, "2"), rolling(row.surge, row.unavailable))
			if diff := cmp.Diff(row.want, scalings(deployment.Reconcile(snapshot(d, row.sets...)))); diff != "" {
				t.Errorf("scalings (-want +got):\n%s", diff)
			}
		})
	}
}

// The ReplicaSets' statuses may lag behind; Pods show the actual state. A replacement for an old
// Pod must both exist and be in the status, because clients see only the statuses.
func TestPodsAndStatusesAreBelieved(t *testing.T) {
	t.Parallel()
	terminating := func(p *corev1.Pod) { now := ago(0); p.DeletionTimestamp = &now }
	fresh := replicaSet("a", 1, "2", available(0))
	known := replicaSet("a", 1, "2")
	small := replicaSet("b", 2, "1", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 2 })
	for _, row := range []struct {
		name string
		sets []*appsv1.ReplicaSet
		pods [][]*corev1.Pod
		want []string
	}{
		{"DEP-022 the new Pod is available and its status says so", []*appsv1.ReplicaSet{known, replicaSet("b", 3, "1")},
			[][]*corev1.Pod{pods(known, 1, 1), pods(replicaSet("b", 3, "1"), 3, 3)}, []string{"b 3 → 2"}},
		{"DEP-022 the new Pod is available and nobody has been told", []*appsv1.ReplicaSet{fresh, replicaSet("b", 3, "1")},
			[][]*corev1.Pod{pods(fresh, 1, 1), pods(replicaSet("b", 3, "1"), 3, 3)}, nil},
		{"DEP-022 the new Pod is not available any more", []*appsv1.ReplicaSet{known, replicaSet("b", 3, "1")},
			[][]*corev1.Pod{pods(known, 1, 0), pods(replicaSet("b", 3, "1"), 3, 3)}, nil},
		{"DEP-023 an old Pod is still there", []*appsv1.ReplicaSet{fresh, small},
			[][]*corev1.Pod{pods(fresh, 1, 1), pods(small, 3, 3)}, nil},
		{"DEP-034 of a ReplicaSet just adopted there need not be any", []*appsv1.ReplicaSet{known, replicaSet("b", 3, "1", orphaned)},
			[][]*corev1.Pod{pods(known, 1, 1)}, []string{"b 3 → 2"}},
		{"DEP-027 terminating Pods do not count", []*appsv1.ReplicaSet{fresh, small},
			[][]*corev1.Pod{pods(fresh, 1, 1), pods(small, 2, 2), pods(small, 2, 2, terminating)}, []string{"a 1 → 2"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := snapshot(newDeployment(3, annotated(revision, "2")), row.sets...)
			for _, p := range row.pods {
				s.Pods = append(s.Pods, p...)
			}
			if diff := cmp.Diff(row.want, scalings(deployment.Reconcile(s))); diff != "" {
				t.Errorf("scalings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAScaledReplicaSet(t *testing.T) {
	t.Parallel()
	d := newDeployment(5, annotated(revision, "1"), rolling(num(2), num(0)))
	got := setOf(deployment.Reconcile(snapshot(d, replicaSet("a", 3, "1"))), "web-a")
	want := replicaSet("a", 3, "1", sized(5, 7))
	five := int32(5)
	want.Spec.Replicas, want.Generation = &five, 2
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("ReplicaSet (-want +got):\n%s", d)
	}
}
