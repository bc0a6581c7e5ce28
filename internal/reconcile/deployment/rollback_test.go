package deployment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/reconcile/deployment"
)

func TestRollbackAnnotation(t *testing.T) {
	to := func(value string) func(*appsv1.Deployment) { return annotated(appsv1.DeprecatedRollbackTo, value) }
	const again = "wake at 2026-01-02T03:04:05Z\n"
	warning := func(reason, message string) string {
		return status + `event Deployment default/web Warning ` + reason + ` "` + message + "\"\n" + again
	}
	a, b := replicaSet("a", 3, "2"), replicaSet("b", 0, "1")
	restored := "update Deployment default/web\n" +
		`event Deployment default/web Normal DeploymentRollback "Rolled back deployment \"web\" to revision 1"` + "\n" + again
	at2 := annotated(revision, "2")
	check(t, []row{
		{"DEP-052 to a revision", snapshot(settled(at2, to("1")), a, b), restored},
		{"to the last one", snapshot(settled(at2, to("0")), a, b), restored},
		{"to the revision that it is at", snapshot(settled(at2, to("2")), a, b),
			warning("DeploymentRollbackTemplateUnchanged", `The rollback revision contains the same template as current deployment \"web\"`)},
		{"to one that is not there", snapshot(settled(at2, to("7")), a, b),
			warning("DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.")},
		{"to the last one of none", snapshot(settled(at2, to("0")), a),
			warning("DeploymentRollbackRevisionNotFound", "Unable to find last revision.")},
		{"to nonsense", snapshot(settled(at2, to("yesterday")), a, b), ""},
	})
}

func TestARolledBackDeployment(t *testing.T) {
	t.Parallel()
	d := settled(annotated(revision, "2"), annotated("kubernetes.io/change-cause", "second"),
		annotated(corev1.LastAppliedConfigAnnotation, "{}"), annotated(appsv1.DeprecatedRollbackTo, "1"))
	b := replicaSet("b", 0, "1", func(rs *appsv1.ReplicaSet) { rs.Annotations["kubernetes.io/change-cause"] = "first" })
	got := deploymentOf(deployment.Reconcile(snapshot(d, replicaSet("a", 3, "2"), b)))
	want := settled(annotated(revision, "2"), annotated("kubernetes.io/change-cause", "first"),
		annotated(corev1.LastAppliedConfigAnnotation, "{}"), image("b"), func(d *appsv1.Deployment) { d.Generation = 2 })
	want.Status = d.Status
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Deployment (-want +got):\n%s", diff)
	}
}
