package deployment_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

func TestRecreate(t *testing.T) {
	old := replicaSet("b", 3, "1")
	drained := replicaSet("b", 0, "1")
	waiting := func(p ...*corev1.Pod) deployment.Snapshot {
		s := snapshot(settled(recreate, counted(0, 0)), drained)
		s.Pods = p
		return s
	}
	ending := func(p *corev1.Pod) { now := ago(0); p.DeletionTimestamp = &now }
	finished := func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }
	created := status + "create ReplicaSet default/web-" + hashA + "\n" + scaled("up", "web-"+hashA+" from 0 to 3") +
		"wake at 2026-01-02T03:14:05Z\n"
	check(t, []row{
		{"DEP-085 the old ReplicaSet goes to 0 first", snapshot(settled(recreate, counted(3, 0)), old),
			updated("web-b") + scaled("down", "web-b from 3 to 0")},
		{"DEP-085 as long as it counts Pods nothing is created", snapshot(settled(recreate, counted(1, 0)),
			replicaSet("b", 0, "1", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 1 })), status},
		{"DEP-085 nor as long as one of them terminates", waiting(pods(drained, 1, 0, ending)...), status},
		{"DEP-085 nor as long as one that has finished is still to be removed", waiting(pods(drained, 1, 0, finished, ending)...),
			status + "wake at 2026-01-02T03:04:06Z\n"},
		{"DEP-085 a finished Pod is not waited for", waiting(pods(drained, 1, 0, finished)...), created},
		{"DEP-085 when all are gone the new ReplicaSet comes", waiting(), created},
		{"DEP-086 Pods of the new ReplicaSet do not matter", func() deployment.Snapshot {
			s := snapshot(settled(recreate), replicaSet("a", 3, "1"), replicaSet("b", 0, "0"))
			s.Pods = append(pods(replicaSet("a", 3, "1"), 3, 3), pods(replicaSet("a", 3, "1"), 1, 0, ending)...)
			return s
		}(), ""},
		{"an undo uses the old ReplicaSet again", snapshot(settled(recreate, counted(0, 0)), replicaSet("b", 0, "2"), replicaSet("a", 0, "1")),
			updated("web-a") + status + scaled("up", "web-a from 0 to 3")},
		{"DEP-045 a finished one is cleaned up", snapshot(settled(recreate, limited(0)), replicaSet("a", 3, "1"), replicaSet("b", 0, "0")),
			"delete ReplicaSet default/web-b\n"},
	})
}
