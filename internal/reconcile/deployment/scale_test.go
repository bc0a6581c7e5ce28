package deployment_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

// TestScale is one step after spec.replicas has changed, in the middle of a rollout from "b" (and
// "c") to "a".
func TestScale(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		d    *appsv1.Deployment
		sets []*appsv1.ReplicaSet
		want []string
	}{
		{"DEP-058 the only ReplicaSet gets it all", newDeployment(10), []*appsv1.ReplicaSet{replicaSet("a", 3, "1")},
			[]string{"a 3 → 10"}},
		{"DEP-062 old 8 and new 5 of 10 become 11 and 7 of 15", newDeployment(15, rolling(num(3), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 8, "1", sized(10, 13)), replicaSet("a", 5, "2", sized(10, 13), young, available(0))},
			[]string{"b 8 → 11", "a 5 → 7"}},
		{"DEP-061 a ReplicaSet without Pods gets none", newDeployment(15, rolling(num(3), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 8, "1", sized(10, 13)), replicaSet("c", 0, "0", sized(10, 13)),
			replicaSet("a", 5, "2", sized(10, 13), young, available(0))}, []string{"b 8 → 11", "a 5 → 7"}},
		{"DEP-061 what rounding leaves goes to the largest", newDeployment(10, rolling(num(0), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 3, "1", sized(6, 6)), replicaSet("c", 2, "2", sized(6, 6)), replicaSet("a", 1, "3", sized(6, 6), young)},
			[]string{"b 3 → 5", "c 2 → 3", "a 1 → 2"}},
		{"growing, the newer of two equal ones is the larger", newDeployment(5, rolling(num(0), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 2, "1", sized(4, 4)), replicaSet("a", 2, "2", sized(4, 4), young, available(0))},
			[]string{"a 2 → 3"}},
		{"shrinking, the older of two equal ones shrinks", newDeployment(3, rolling(num(0), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 2, "1", sized(4, 4)), replicaSet("a", 2, "2", sized(4, 4), young, available(0))},
			[]string{"b 2 → 1"}},
		{"to 0 everything goes", newDeployment(0), []*appsv1.ReplicaSet{
			replicaSet("b", 3, "1"), replicaSet("a", 1, "2", young)}, []string{"b 3 → 0", "a 1 → 0"}},
		{"from 0 the new one grows", newDeployment(3), []*appsv1.ReplicaSet{
			replicaSet("b", 0, "1", sized(0, 0)), replicaSet("a", 0, "2", young, sized(0, 0))}, []string{"a 0 → 3"}},
		{"a new one that has it all takes the Pods of the others", newDeployment(3, func(d *appsv1.Deployment) { d.Spec.Paused = true }),
			[]*appsv1.ReplicaSet{replicaSet("b", 2, "1"), replicaSet("a", 3, "2", young)}, []string{"b 2 → 0"}},
		{"an annotation that was tampered with does not count", newDeployment(15, rolling(num(3), num(2)), counted(13, 5)),
			[]*appsv1.ReplicaSet{
				replicaSet("b", 8, "1", sized(10, 13), func(rs *appsv1.ReplicaSet) { rs.Annotations[most] = "many" }),
				replicaSet("a", 5, "2", sized(10, 13), young, available(0)),
			}, []string{"b 8 → 11", "a 5 → 7"}},
		{"Pods about to be deleted are in the way", newDeployment(15, rolling(num(3), num(2))), []*appsv1.ReplicaSet{
			replicaSet("b", 8, "1", sized(10, 13), func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 13 }),
			replicaSet("a", 5, "2", sized(10, 13), young, available(0))}, nil},
		{"Recreate: the one ReplicaSet that has Pods", newDeployment(5, recreate), []*appsv1.ReplicaSet{
			replicaSet("b", 0, "1", sized(3, 3)), replicaSet("a", 3, "2", young, sized(3, 3))}, []string{"a 3 → 5"}},
		{"a size that was right beforehand does not hold up the rollout", newDeployment(5, image("x")), []*appsv1.ReplicaSet{
			replicaSet("a", 5, "1")}, []string{"58885c4f57 0 → 2", "a 5 → 4"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := deployment.Reconcile(snapshot(row.d, row.sets...))
			if diff := cmp.Diff(row.want, scalings(got)); diff != "" {
				t.Errorf("scalings (-want +got):\n%s", diff)
			}
		})
	}
}

// Scaling in proportion records the new numbers on every ReplicaSet with Pods, even on one that
// keeps its size, so that the next step does not take it for another scaling.
func TestScaleNotesTheNewNumbers(t *testing.T) {
	t.Parallel()
	d := newDeployment(15, rolling(num(3), num(2)))
	b, a := replicaSet("b", 8, "1", sized(10, 13)), replicaSet("a", 5, "2", sized(10, 13), young, available(0))
	got := deployment.Reconcile(snapshot(d, b, a))
	for _, name := range []string{"web-a", "web-b"} {
		rs := setOf(got, name)
		if rs.Annotations[desired] != "15" || rs.Annotations[most] != "18" || rs.Generation != 2 {
			t.Errorf("%s has annotations %v and generation %d", name, rs.Annotations, rs.Generation)
		}
	}
	if d := deploymentOf(got); d.Annotations[revision] != "2" || d.Status.UnavailableReplicas != 10 {
		t.Errorf("revision %s, unavailableReplicas %d, want 2 and 10", d.Annotations[revision], d.Status.UnavailableReplicas)
	}
}

// TestScaleGrowsIntoRoom: a ReplicaSet that grows because others shrink needs their updates, which
// may be left out if they have changed meanwhile.
func TestScaleGrowsIntoRoom(t *testing.T) {
	t.Parallel()
	got := deployment.Reconcile(snapshot(newDeployment(12, rolling(num(3), num(2))),
		replicaSet("c", 6, "1", sized(15, 19)), replicaSet("b", 7, "2", sized(15, 19), young), replicaSet("a", 1, "3", sized(12, 1), young)))
	var needs []string
	for _, u := range got.Updates {
		if rs, ok := u.Object.(*appsv1.ReplicaSet); ok {
			needs = append(needs, fmt.Sprintf("%s %d needs %q", rs.UID, *rs.Spec.Replicas, u.NeedsUpdate))
		}
	}
	want := []string{`c-uid 5 needs ""`, `b-uid 6 needs "c-uid"`, `a-uid 4 needs "b-uid"`}
	if diff := cmp.Diff(want, needs); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
}
