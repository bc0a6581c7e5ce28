package replicaset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
	"github.com/rowlock/rowlock/internal/reconcile/replicaset"
)

const (
	update  = "update ReplicaSet default/web status\n"
	create  = "create Pod default/web-*\n"
	created = `event ReplicaSet default/web Normal SuccessfulCreate "Created pod: %s"` + "\n"
)

func deletes(names ...string) (out string) {
	for _, name := range names {
		out += "delete Pod default/" + name + "\n"
	}
	for _, name := range names {
		out += `event ReplicaSet default/web Normal SuccessfulDelete "Deleted pod: ` + name + "\"\n"
	}
	return out
}

func times(n int, s string) string { return strings.Repeat(s, n) }

func TestReconcile(t *testing.T) {
	t.Parallel()
	minReady := func(rs *appsv1.ReplicaSet) { rs.Spec.MinReadySeconds = 10 }
	for _, row := range []struct {
		name string
		s    replicaset.Snapshot
		want string
	}{
		{"all is as it should be", snapshot(replicaSet(3, counted(3)), pods(3)...), ""},
		{"RS-001 too few Pods", snapshot(replicaSet(3)), times(3, create) + times(3, created)},
		{"RS-004 replicas not given is 1", snapshot(replicaSet(0, func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = nil })),
			create + created},
		{"RS-009 RS-012 orphans are adopted and only the rest is created",
			snapshot(replicaSet(3, counted(2)), pod("a", orphan), pod("b", orphan)),
			"update Pod default/a\nupdate Pod default/b\n" + create + created},
		{"RS-011 surplus orphans are adopted first", snapshot(replicaSet(2, counted(4)), append(pods(2),
			pod("a", orphan, pending), pod("b", orphan, pending))...),
			"update Pod default/a\nupdate Pod default/b\n"},
		{"RS-011 and deleted then", snapshot(replicaSet(2, counted(4)), append(pods(2), pod("a", pending), pod("b", pending))...),
			deletes("a", "b")},
		{"RS-013 Pods of another controller are ignored", snapshot(replicaSet(0), pod("a", func(p *corev1.Pod) {
			p.OwnerReferences[0].UID = "other-uid"
		})), ""},
		{"RS-014 RSC-004 a relabelled Pod is released and replaced", snapshot(replicaSet(2, counted(1)),
			pod("a"), pod("b", unmatched)), "update Pod default/b\n" + create + created},
		{"RS-016 scale down to zero", snapshot(replicaSet(0, counted(2)), pods(2)...), deletes("web-0", "web-1")},
		{"RS-023 Pods of an older template stay", snapshot(replicaSet(1, counted(1), func(rs *appsv1.ReplicaSet) {
			rs.Spec.Template.Spec.Containers[0].Image = "nginx:2"
		}), pods(1)...), ""},
		{"RSC-001 RS-015 a failed Pod is replaced and not counted", snapshot(replicaSet(2, counted(1)),
			pod("a"), pod("b", phase(corev1.PodFailed))), create + created},
		{"RSC-001 a succeeded Pod likewise", snapshot(replicaSet(2, counted(1)),
			pod("a"), pod("b", phase(corev1.PodSucceeded))), create + created},
		{"RSC-002 a terminating Pod is replaced at once", snapshot(replicaSet(1, counted(0)), pod("a", ending)),
			update + create + created},
		{"RSC-003 a finished orphan is not adopted", snapshot(replicaSet(0), pod("a", orphan, phase(corev1.PodFailed))), ""},
		{"RSC-007 a ReplicaSet being deleted creates nothing", snapshot(replicaSet(3, beingDeleted)), ""},
		{"RSC-007 and deletes nothing", snapshot(replicaSet(0, beingDeleted, counted(2)), pods(2)...), ""},
		{"RSC-007 and claims nothing", snapshot(replicaSet(1, beingDeleted, counted(0)), pod("a", orphan), pod("b", unmatched)), ""},
		{"RSC-007 but keeps its status", snapshot(replicaSet(3, beingDeleted, counted(3)), pods(2)...), update},
		{"RSC-036 a terminating Pod is not a candidate", snapshot(replicaSet(1, counted(2), func(rs *appsv1.ReplicaSet) {
			*rs.Status.TerminatingReplicas = 1
		}), pod("a", ending), pod("b"), pod("c", unready)), update + deletes("c")},
		{"RSC-039 wakes when the next Pod becomes available", snapshot(replicaSet(2, counted(2), minReady, func(rs *appsv1.ReplicaSet) {
			rs.Status.AvailableReplicas = 0
		}), pod("a", readyFor(2*time.Second)), pod("b", readyFor(4*time.Second))), "wake at 2026-01-02T03:04:11Z\n"},
		{"RSC-039 counts it then", snapshot(replicaSet(1, counted(1), minReady, func(rs *appsv1.ReplicaSet) {
			rs.Status.AvailableReplicas = 0
		}), pod("a", readyFor(10*time.Second))), update},
		{"a new generation is observed although nothing else changes",
			snapshot(replicaSet(1, counted(1), func(rs *appsv1.ReplicaSet) { rs.Generation = 2 }), pods(1)...), update},
		{"an unusable selector", snapshot(replicaSet(1, func(rs *appsv1.ReplicaSet) {
			rs.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Sometimes"}}
		})), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, replicaset.Reconcile(row.s).String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

func TestRSC009_AtMost500AtOnce(t *testing.T) {
	t.Parallel()
	if got := replicaset.Reconcile(snapshot(replicaSet(1200))); len(got.Creates) != 500 || len(got.Deletes) != 0 {
		t.Errorf("creates %d and deletes %d, want 500 and 0", len(got.Creates), len(got.Deletes))
	}
	if got := replicaset.Reconcile(snapshot(replicaSet(0), pods(1200)...)); len(got.Creates) != 0 || len(got.Deletes) != 500 {
		t.Errorf("creates %d and deletes %d, want 0 and 500", len(got.Creates), len(got.Deletes))
	}
}

func TestRS007_RS026_CreatedPodAndItsEvent(t *testing.T) {
	t.Parallel()
	rs := replicaSet(1)
	got := replicaset.Reconcile(snapshot(rs))
	want := plan.Plan{
		Creates: []plan.Create{{Object: &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "web-",
				Labels: map[string]string{"app": "web", "tier": "front"}, OwnerReferences: []metav1.OwnerReference{owner}},
			Spec: rs.Spec.Template.Spec,
		}}},
		Events: []plan.Event{{Regarding: rs, Type: "Normal", Reason: "SuccessfulCreate", Message: "Created pod: %s",
			MessageOfCreate: 1, Component: "replicaset-controller"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("plan (-want +got):\n%s", d)
	}
}

// statusOf is the status that a plan writes, nil if it writes none.
func statusOf(p plan.Plan) *appsv1.ReplicaSetStatus {
	for _, u := range p.Updates {
		if rs, ok := u.Object.(*appsv1.ReplicaSet); ok && u.Subresource == "status" {
			return &rs.Status
		}
	}
	return nil
}

func TestStatus(t *testing.T) {
	t.Parallel()
	count := func(replicas, labeled, ready, available, terminating int32) *appsv1.ReplicaSetStatus {
		return &appsv1.ReplicaSetStatus{Replicas: replicas, FullyLabeledReplicas: labeled, ReadyReplicas: ready,
			AvailableReplicas: available, TerminatingReplicas: &terminating, ObservedGeneration: 1}
	}
	for _, row := range []struct {
		name string
		s    replicaset.Snapshot
		want *appsv1.ReplicaSetStatus
	}{
		{"counts every kind of Pod", snapshot(replicaSet(4, func(rs *appsv1.ReplicaSet) { rs.Spec.MinReadySeconds = 10 }),
			pod("a"), pod("b", untiered), pod("c", unready), pod("d", readyFor(time.Second)),
			pod("e", ending), pod("f", phase(corev1.PodFailed))), count(4, 3, 3, 2, 1)},
		{"a terminating Pod of other labels is not counted", snapshot(replicaSet(0, counted(1)), pod("a", ending, unmatched)),
			count(0, 0, 0, 0, 0)},
		{"an adopted Pod counts at once", snapshot(replicaSet(1), pod("a", orphan)), count(1, 1, 1, 1, 0)},
		{"planned creates do not count yet", snapshot(replicaSet(3, counted(2)), pods(1)...), count(1, 1, 1, 1, 0)},
		{"planned deletes still count", snapshot(replicaSet(1, counted(2)), pods(3)...), count(3, 3, 3, 3, 0)},
		{"terminatingReplicas is reported where it was not", snapshot(replicaSet(0, func(rs *appsv1.ReplicaSet) {
			rs.Status.TerminatingReplicas = nil
		})), count(0, 0, 0, 0, 0)},
		{"nothing new", snapshot(replicaSet(2, counted(2)), pods(2)...), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(row.want, statusOf(replicaset.Reconcile(row.s))); d != "" {
				t.Errorf("status (-want +got):\n%s", d)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	quota := plan.Refusal{Admitted: 2, Reason: metav1.StatusReasonForbidden,
		Message: `pods "web-x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2`}
	failure := func(reason, message string, ago time.Duration) []appsv1.ReplicaSetCondition {
		return []appsv1.ReplicaSetCondition{{Type: "ReplicaFailure", Status: "True", Reason: reason, Message: message,
			LastTransitionTime: metav1.NewTime(now.Add(-ago))}}
	}
	failing := func(rs *appsv1.ReplicaSet) { rs.Status.Conditions = failure("FailedCreate", "first", time.Hour) }
	warning := fmt.Sprintf("event ReplicaSet default/web Warning FailedCreate %q\n", "Error creating: "+quota.Message)
	for _, row := range []struct {
		name       string
		s          replicaset.Snapshot
		want       string
		conditions []appsv1.ReplicaSetCondition
	}{
		{"RSC-008 RSC-011 quota admits two of a hundred", refused(snapshot(replicaSet(100)), quota),
			update + times(2, create) + warning + times(2, created), failure("FailedCreate", quota.Message, 0)},
		{"RSC-008 the condition keeps its first message and time", refused(snapshot(replicaSet(100, failing, counted(1)), pods(2)...), quota),
			update + times(2, create) + warning + times(2, created), failure("FailedCreate", "first", time.Hour)},
		{"RSC-008 and goes when all is well again", snapshot(replicaSet(2, failing, counted(2)), pods(2)...), update, nil},
		{"RSC-012 a namespace being terminated is not a failure",
			refused(snapshot(replicaSet(3)), plan.Refusal{Reason: metav1.StatusReasonForbidden, NamespaceTerminating: true, Message: "no"}),
			"", nil},
		{"RSC-014 refused deletes", refused(snapshot(replicaSet(0, counted(2)), pods(2)...), plan.Refusal{Admitted: 1, Message: "no"}),
			update + "delete Pod default/web-0\n" +
				`event ReplicaSet default/web Warning FailedDelete "Error deleting: no"` + "\n" +
				`event ReplicaSet default/web Normal SuccessfulDelete "Deleted pod: web-0"` + "\n",
			failure("FailedDelete", "unable to delete pods: no", 0)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := replicaset.Reconcile(row.s)
			if d := cmp.Diff(row.want, got.String()); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
			var conditions []appsv1.ReplicaSetCondition
			if status := statusOf(got); status != nil {
				conditions = status.Conditions
			}
			if d := cmp.Diff(row.conditions, conditions); d != "" {
				t.Errorf("conditions (-want +got):\n%s", d)
			}
		})
	}
}

func TestRSC040_ReconcileAsReplicationController(t *testing.T) {
	t.Parallel()
	rc := &corev1.ReplicationController{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "web-uid"}}
	got := replicaset.ReconcileAs(snapshot(replicaSet(2), pod("a", orphan)), replicaset.Identity{
		Kind: corev1.SchemeGroupVersion.WithKind("ReplicationController"), Component: "replication-controller", Object: rc,
		WithStatus: func(status appsv1.ReplicaSetStatus) object.Object {
			out := rc.DeepCopy()
			out.Status.Replicas = status.Replicas
			return out
		},
	})
	want := "update Pod default/a\nupdate ReplicationController default/web status\n" + create +
		strings.ReplaceAll(created, "ReplicaSet", "ReplicationController")
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("plan (-want +got):\n%s", d)
	}
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ReplicationController", Name: "web", UID: "web-uid",
		Controller: &yes, BlockOwnerDeletion: &yes}
	refs := slices.Concat(got.Updates[0].Object.GetOwnerReferences(), got.Creates[0].Object.GetOwnerReferences())
	if d := cmp.Diff([]metav1.OwnerReference{ref, ref}, refs); d != "" {
		t.Errorf("owner references (-want +got):\n%s", d)
	}
}

func TestNeedsNodeRank(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		s    replicaset.Snapshot
		want bool
	}{
		{"enough Pods", snapshot(replicaSet(2), pods(2)...), false},
		{"some have to go", snapshot(replicaSet(1), pods(2)...), true},
		{"RSC-015 all have to go", snapshot(replicaSet(0), pods(2)...), false},
		{"all have to go, in several plans", snapshot(replicaSet(0), pods(501)...), true},
		{"the ReplicaSet goes itself", snapshot(replicaSet(1, beingDeleted), pods(2)...), false},
		{"the surplus is gone already", snapshot(replicaSet(1), pod("a"), pod("b", ending)), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := row.s.NeedsNodeRank(); got != row.want {
				t.Errorf("NeedsNodeRank = %v, want %v", got, row.want)
			}
		})
	}
}

// BenchmarkReconcile10000 is the common case of a big ReplicaSet: one Pod changed, the status
// follows.
func BenchmarkReconcile10000(b *testing.B) {
	s := snapshot(replicaSet(10000, counted(9999)), pods(10000)...)
	b.ReportAllocs()
	for b.Loop() {
		if p := replicaset.Reconcile(s); len(p.Updates) != 1 {
			b.Fatal(p)
		}
	}
}

// BenchmarkVictims10000 scales a big ReplicaSet down by a burst.
func BenchmarkVictims10000(b *testing.B) {
	s := snapshot(replicaSet(5000, counted(10000)), pods(10000)...)
	b.ReportAllocs()
	for b.Loop() {
		if p := replicaset.Reconcile(s); len(p.Deletes) != 500 {
			b.Fatal(p)
		}
	}
}

// TestRSC004_ReplacedOnlyIfReleased: a client may undo the change of a Pod's labels before the Pod is
// released. The Pod is then not replaced either.
func TestRSC004_ReplacedOnlyIfReleased(t *testing.T) {
	t.Parallel()
	b, c := pod("b", unmatched), pod("c", unmatched)
	got := replicaset.Reconcile(snapshot(replicaSet(3, counted(1)), pod("a"), b, c))
	if len(got.Updates) != 2 || got.Updates[0].NeedsUpdate != "" || got.Updates[1].NeedsUpdate != b.UID {
		t.Errorf("the releases are %+v, want the second to need the first", got.Updates)
	}
	if len(got.Creates) != 2 || got.Creates[0].NeedsUpdate != c.UID || got.Creates[1].NeedsUpdate != c.UID {
		t.Errorf("the creations are %+v, want both to need the last release", got.Creates)
	}
}
