package deployment_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

func TestCleanup(t *testing.T) {
	const gone = "delete ReplicaSet default/"
	busy := func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 1 }
	unseen := func(rs *appsv1.ReplicaSet) { rs.Generation = 2 }
	dying := func(rs *appsv1.ReplicaSet) { now := ago(0); rs.DeletionTimestamp = &now }
	// done is a finished rollout to "a" at revision 9, for which nothing but cleanup is left.
	done := func(limit int32) *appsv1.Deployment { return settled(limited(limit), annotated(revision, "9")) }
	current := replicaSet("a", 3, "9")
	check(t, []row{
		{"DEP-044 the oldest revisions beyond the limit go", snapshot(done(1), replicaSet("b", 0, "3"), current,
			replicaSet("c", 0, "1"), replicaSet("d", 0, "2")), gone + "web-c\n" + gone + "web-d\n"},
		{"DEP-044 those within the limit stay", snapshot(done(10), current, replicaSet("b", 0, "1")), ""},
		{"DEP-045 with limit 0 all go", snapshot(done(0), current, replicaSet("b", 0, "1")), gone + "web-b\n"},
		{"without a limit all stay", snapshot(settled(annotated(revision, "9"), func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = nil }),
			current, replicaSet("b", 0, "1")), ""},
		{"one that has not looked at its size yet stays", snapshot(done(0), current, replicaSet("b", 0, "1", unseen)), ""},
		{"one that is being deleted does not count", snapshot(done(1), current, replicaSet("b", 0, "1", dying), replicaSet("c", 0, "2")), ""},
		{"one that is just adopted goes later", snapshot(done(0), current, replicaSet("b", 0, "1", orphaned)), updated("web-b")},
		{"one that has Pods stays, and the Deployment is not at rest", snapshot(settled(limited(0), annotated(revision, "9"), counted(4, 3)), current,
			replicaSet("b", 0, "1", busy)), status},
		{"nothing goes in mid-rollout", snapshot(rollingOut(0, limited(0)), replicaSet("b", 3, "1"),
			replicaSet("a", 1, "2", young, available(0)), replicaSet("c", 0, "0")), "wake at 2026-01-02T03:14:05Z\n"},
	})
}
