package deployment_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

func progressing(status corev1.ConditionStatus, reason, message string, updated, transition time.Duration) *appsv1.DeploymentCondition {
	return &appsv1.DeploymentCondition{Type: "Progressing", Status: status, Reason: reason, Message: message,
		LastUpdateTime: ago(updated), LastTransitionTime: ago(transition)}
}

// rollingOut is a Deployment of 3 that began a rollout from "b" to "a" a while ago, with 3 old Pods
// and 1 new one.
func rollingOut(since time.Duration, edits ...func(*appsv1.Deployment)) *appsv1.Deployment {
	edits = append([]func(*appsv1.Deployment){
		annotated(revision, "2"), isAvailable,
		with("Progressing", "True", "NewReplicaSetCreated", `Created new replica set "web-a"`, since),
		counted(4, 1), func(d *appsv1.Deployment) {
			d.Status.ReadyReplicas, d.Status.AvailableReplicas, d.Status.UnavailableReplicas = 3, 3, 1
		},
	}, edits...)
	return newDeployment(3, edits...)
}

func TestProgressing(t *testing.T) {
	t.Parallel()
	old, stuck := replicaSet("b", 3, "1"), replicaSet("a", 1, "2", young, available(0))
	deadline := func(n int32) func(*appsv1.Deployment) {
		return func(d *appsv1.Deployment) { d.Spec.ProgressDeadlineSeconds = &n }
	}
	const (
		created   = `Created new replica set "web-a"`
		progress  = `ReplicaSet "web-a" is progressing.`
		timedOut  = `ReplicaSet "web-a" has timed out progressing.`
		completed = `ReplicaSet "web-a" has successfully progressed.`
	)
	for _, row := range []struct {
		name string
		s    deployment.Snapshot
		want *appsv1.DeploymentCondition
		wake time.Time
	}{
		{"DEP-068 created, no advance yet", snapshot(rollingOut(time.Minute), old, stuck),
			progressing("True", "NewReplicaSetCreated", created, time.Minute, time.Minute), now.Add(9 * time.Minute)},
		{"DEP-069 a Pod more is ready", snapshot(rollingOut(time.Minute), old, replicaSet("a", 1, "2", young)),
			progressing("True", "ReplicaSetUpdated", progress, 0, time.Minute), now.Add(10 * time.Minute)},
		{"DEP-069 an old Pod less", snapshot(rollingOut(time.Minute), replicaSet("b", 2, "1"), stuck),
			progressing("True", "ReplicaSetUpdated", progress, 0, time.Minute), now.Add(10 * time.Minute)},
		{"DEP-069 every advance counts the time anew", snapshot(rollingOut(time.Hour, func(d *appsv1.Deployment) {
			conditionOf(d, "Progressing").Reason = "ReplicaSetUpdated"
		}), old, replicaSet("a", 1, "2", young)), progressing("True", "ReplicaSetUpdated", progress, 0, time.Hour), now.Add(10 * time.Minute)},
		{"DEP-070 complete", snapshot(rollingOut(time.Minute), replicaSet("b", 0, "1"), replicaSet("a", 3, "2", young)),
			progressing("True", "NewReplicaSetAvailable", completed, 0, time.Minute), time.Time{}},
		{"not complete as long as a ReplicaSet counts from before it was given its size", snapshot(rollingOut(time.Minute),
			replicaSet("b", 0, "1"), replicaSet("a", 1, "2", young, func(rs *appsv1.ReplicaSet) {
				rs.Status.Replicas, rs.Status.AvailableReplicas = 3, 3
			})), progressing("True", "ReplicaSetUpdated", progress, 0, time.Minute), now.Add(10 * time.Minute)},
		{"DEP-071 DEP-075 a Pod that fails later changes nothing", snapshot(settled(annotated(revision, "2")), replicaSet("a", 3, "2", available(1))),
			progressing("True", "NewReplicaSetAvailable", completed, time.Hour, time.Hour), time.Time{}},
		{"DEP-073 one second before the deadline", snapshot(rollingOut(599*time.Second), old, stuck),
			progressing("True", "NewReplicaSetCreated", created, 599*time.Second, 599*time.Second), now.Add(time.Second)},
		{"DEP-073 at the deadline", snapshot(rollingOut(600*time.Second), old, stuck),
			progressing("False", "ProgressDeadlineExceeded", timedOut, 0, 0), time.Time{}},
		{"DEP-073 and it stays so", snapshot(rollingOut(time.Hour, func(d *appsv1.Deployment) {
			*conditionOf(d, "Progressing") = *progressing("False", "ProgressDeadlineExceeded", timedOut, time.Minute, time.Minute)
		}), old, stuck), progressing("False", "ProgressDeadlineExceeded", timedOut, time.Minute, time.Minute), time.Time{}},
		{"DEP-076 until there is progress again", snapshot(rollingOut(time.Hour, func(d *appsv1.Deployment) {
			*conditionOf(d, "Progressing") = *progressing("False", "ProgressDeadlineExceeded", timedOut, time.Minute, time.Minute)
		}), old, replicaSet("a", 1, "2", young)), progressing("True", "ReplicaSetUpdated", progress, 0, 0), now.Add(10 * time.Minute)},
		{"DEP-015 without a deadline there is no condition", snapshot(rollingOut(time.Hour, deadline(math.MaxInt32)), old, stuck), nil, time.Time{}},
		{"DEP-068 a ReplicaSet that was there before the deadline", snapshot(newDeployment(3, annotated(revision, "1")),
			replicaSet("a", 3, "1", available(0), func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 0 })),
			progressing("True", "FoundNewReplicaSet", `Found new replica set "web-a"`, 0, 0), now.Add(10 * time.Minute)},
		{"Recreate waits for old Pods without a new ReplicaSet", snapshot(newDeployment(3, recreate, annotated(revision, "1"),
			counted(3, 0)), replicaSet("b", 0, "1", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 2 })),
			progressing("True", "ReplicaSetUpdated", `Deployment "web" is progressing.`, 0, 0), now.Add(10 * time.Minute)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := deployment.Reconcile(row.s)
			d := deploymentOf(p)
			if d == nil {
				d = row.s.Deployment
			}
			if diff := cmp.Diff(row.want, conditionOf(d, "Progressing")); diff != "" {
				t.Errorf("Progressing (-want +got):\n%s", diff)
			}
			if !p.WakeAt.Equal(row.wake) {
				t.Errorf("wakes at %v, want %v", p.WakeAt, row.wake)
			}
		})
	}
}

func TestDEP072_Available(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name      string
		d         *appsv1.Deployment
		available int32
		want      appsv1.DeploymentCondition
	}{
		{"all but maxUnavailable", settled(rolling(num(1), num(1))), 2, appsv1.DeploymentCondition{Status: "True",
			Reason: "MinimumReplicasAvailable", Message: "Deployment has minimum availability.",
			LastUpdateTime: ago(time.Hour), LastTransitionTime: ago(time.Hour)}},
		{"one less", settled(rolling(num(1), num(1))), 1, appsv1.DeploymentCondition{Status: "False",
			Reason: "MinimumReplicasUnavailable", Message: "Deployment does not have minimum availability.",
			LastUpdateTime: ago(0), LastTransitionTime: ago(0)}},
		{"with Recreate all are wanted", settled(recreate), 2, appsv1.DeploymentCondition{Status: "False",
			Reason: "MinimumReplicasUnavailable", Message: "Deployment does not have minimum availability.",
			LastUpdateTime: ago(0), LastTransitionTime: ago(0)}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.want.Type = "Available"
			got := deploymentOf(deployment.Reconcile(snapshot(row.d, replicaSet("a", 3, "1", available(row.available)))))
			if diff := cmp.Diff(&row.want, conditionOf(got, "Available")); diff != "" {
				t.Errorf("Available (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDEP083_ReplicaFailure(t *testing.T) {
	t.Parallel()
	failing := func(message string) func(*appsv1.ReplicaSet) {
		return func(rs *appsv1.ReplicaSet) {
			rs.Status.Conditions = []appsv1.ReplicaSetCondition{{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate",
				Message: message, LastTransitionTime: ago(time.Minute)}}
		}
	}
	failure := func(message string) *appsv1.DeploymentCondition {
		return &appsv1.DeploymentCondition{Type: "ReplicaFailure", Status: "True", Reason: "FailedCreate", Message: message,
			LastUpdateTime: ago(time.Minute), LastTransitionTime: ago(time.Minute)}
	}
	for _, row := range []struct {
		name string
		s    deployment.Snapshot
		want *appsv1.DeploymentCondition
	}{
		{"of the new ReplicaSet", snapshot(settled(), replicaSet("b", 0, "0", failing("old")), replicaSet("a", 3, "1", failing("new"))),
			failure("new")},
		{"or else of an old one", snapshot(settled(), replicaSet("b", 0, "0", failing("old")), replicaSet("a", 3, "1")),
			failure("old")},
		{"gone with it", snapshot(settled(with("ReplicaFailure", "True", "FailedCreate", "old", time.Minute)), replicaSet("a", 3, "1")), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := deploymentOf(deployment.Reconcile(row.s))
			if diff := cmp.Diff(row.want, conditionOf(got, "ReplicaFailure")); diff != "" {
				t.Errorf("ReplicaFailure (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDEP055_DEP081_DEP082_StatusCounts(t *testing.T) {
	t.Parallel()
	two := int32(2)
	d := newDeployment(3, annotated(revision, "2"), func(d *appsv1.Deployment) { d.Generation = 7 })
	old := replicaSet("b", 3, "1", func(rs *appsv1.ReplicaSet) { rs.Status.TerminatingReplicas = &two })
	stuck := replicaSet("a", 1, "2", young, available(0))
	got := deploymentOf(deployment.Reconcile(snapshot(d, old, stuck))).Status
	got.Conditions = nil
	want := appsv1.DeploymentStatus{ObservedGeneration: 7, Replicas: 4, UpdatedReplicas: 1, ReadyReplicas: 3,
		AvailableReplicas: 3, UnavailableReplicas: 1, TerminatingReplicas: &two}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("status (-want +got):\n%s", d)
	}
	old.Status.TerminatingReplicas = nil
	if got := deploymentOf(deployment.Reconcile(snapshot(d, old, stuck))).Status; got.TerminatingReplicas != nil {
		t.Errorf("terminatingReplicas is %d although one ReplicaSet does not tell", *got.TerminatingReplicas)
	}
}
